public import NIOCore
internal import NIOConcurrencyHelpers
public import Streams

/// A channel handler that publishes the inbound messages of its channel, and reads as many as are requested.
///
/// ```swift
/// let lines = ChannelInbound<String>()
/// try channel.pipeline.syncOperations.addHandlers(LineDecoder(), lines)
/// let printing = lines.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
/// ```
///
/// Add it behind the decoders. It takes each message out of the pipeline, and holds back the reads of `autoRead`. It asks the channel
/// to read when a subscriber has requested more than has arrived: so if the subscriber is slow, TCP slows the peer down.
///
/// - Demand: One read can bring several messages, as many as the decoders make of it. They are kept until they are requested.
/// - Completion: It finishes when the channel, or its input, is closed, and fails with an error that a handler before it reports.
///   Messages that arrived before are delivered first.
/// - Cancellation: The channel stays open, and reads nothing more, unless `closesOnCancel` is true.
/// - Threads: The subscription is delivered on the subscribing thread, everything else on the event loop.
///
/// It has one subscriber. A second one receives ``ChannelInboundError/hasSubscriber``. What arrives before the first waits for it.
/// An instance belongs to one channel.
///
/// - Complexity: Keeps the messages of one read, beyond those that are delivered.
public final class ChannelInbound<Message: Sendable>: Publisher, ChannelDuplexHandler {
  public typealias Output = Message
  public typealias Failure = any Error
  public typealias InboundIn = Message
  public typealias OutboundIn = Never

  private let state = NIOLockedValueBox(InboundState<Message>())
  private let closesOnCancel: Bool

  /// Creates a handler for one channel.
  ///
  /// - Parameter closesOnCancel: Whether the channel is closed when the subscription is cancelled.
  public init(closesOnCancel: Bool = false) { self.closesOnCancel = closesOnCancel }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Message, Downstream.Failure == any Error {
    let isFirst = state.withLockedValue { $0.attach(subscriber) }
    guard isFirst else {
      return Fail(error: ChannelInboundError.hasSubscriber).subscribe(subscriber)
    }
    subscriber.receive(subscription: InboundSubscription(of: self))
    state.withLockedValue { $0.hasSubscription = true }
    deliverOnLoop()
  }

  fileprivate func request(_ demand: Subscribers.Demand) {
    state.withLockedValue { $0.demand += demand }
    deliverOnLoop()
  }

  fileprivate func cancel() {
    let (released, context) = state.withLockedValue { ($0.close(), $0.context) }
    withExtendedLifetime(released) {}
    if closesOnCancel, let context { context.channel.close(promise: nil) }
  }

  private func deliverOnLoop() {
    guard let eventLoop = state.withLockedValue({ $0.eventLoop }) else { return }
    if eventLoop.inEventLoop { deliver() } else { eventLoop.execute { self.deliver() } }
  }

  /// Delivers what is requested, and asks for a read if that is not enough. Called on the event loop.
  private func deliver() {
    while true {
      switch state.withLockedValue({ $0.next() }) {
      case .value(let message, let subscriber):
        let more = subscriber.receive(message)
        state.withLockedValue { $0.endDelivery(requesting: more) }
      case .completion(let completion, let subscriber): return subscriber.receive(completion: completion)
      case .read(let context): context.value.read()
      case .nothing: return
      }
    }
  }

  private func end(_ completion: Subscribers.Completion<any Error>) {
    state.withLockedValue { if $0.ending == nil { $0.ending = completion } }
    deliver()
  }
}

// MARK: Events of the channel

extension ChannelInbound {
  public func handlerAdded(context: ChannelHandlerContext) {
    let isActive = context.channel.isActive
    let isCancelled = state.withLockedValue { state in
      (state.context, state.eventLoop, state.isActive) = (LoopContext(context), context.eventLoop, isActive)
      return state.isClosed
    }
    // The cancellation had no channel to close.
    if isCancelled, closesOnCancel { context.channel.close(promise: nil) }
    deliver()
  }

  public func handlerRemoved(context: ChannelHandlerContext) {
    state.withLockedValue { $0.context = nil }
    end(.finished)
  }

  public func channelActive(context: ChannelHandlerContext) {
    state.withLockedValue { $0.isActive = true }
    context.fireChannelActive()
    deliver()
  }

  public func channelInactive(context: ChannelHandlerContext) {
    end(.finished)
    context.fireChannelInactive()
  }

  public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let message = unwrapInboundIn(data)
    state.withLockedValue { $0.take(message) }
    deliver()
  }

  public func channelReadComplete(context: ChannelHandlerContext) {
    state.withLockedValue { $0.isReading = false }
    context.fireChannelReadComplete()
    deliver()
  }

  /// A read of `autoRead`: it is asked for later, if it is requested.
  public func read(context: ChannelHandlerContext) {
    state.withLockedValue { $0.isReading = false }
    deliver()
  }

  public func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(.failure(error))
    context.fireErrorCaught(error)
  }

  public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { end(.finished) }
    context.fireUserInboundEventTriggered(event)
  }
}

// Unchecked, because the lock guards the state, and the event loop alone uses the context in it.
extension ChannelInbound: @unchecked Sendable {}

/// The reason why a ``ChannelInbound`` refuses a subscriber.
public enum ChannelInboundError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The messages of a channel go to one subscriber.
  case hasSubscriber

  public var description: String { "The messages of a channel go to one subscriber, and there was one." }
}

private final class InboundSubscription<Message: Sendable>: Subscription {
  private let inbound: ChannelInbound<Message>

  init(of inbound: ChannelInbound<Message>) { self.inbound = inbound }

  func request(_ demand: Subscribers.Demand) { inbound.request(demand) }
  func cancel() { inbound.cancel() }
}
