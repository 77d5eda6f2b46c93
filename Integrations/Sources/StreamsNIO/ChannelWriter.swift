internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Streams

/// Writes the values of a publisher to a channel.
///
/// Values wait in its state, in order, until the event loop comes to them: a publisher may send from the event loop and from other
/// threads in turn.
final class ChannelWriter<Input: Sendable, Failure: Error>: Subscriber, Subscription {
  private let channel: any Channel
  private let state: NIOLockedValueBox<WriterState<Input>>

  init(to channel: any Channel, for downstream: any Subscriber<Never, any Error>) {
    self.channel = channel
    state = NIOLockedValueBox(WriterState(downstream: downstream))
  }

  var isOpen: Bool { state.withLockedValue { $0.isOpen } }

  /// Begins to follow the channel.
  func start() {
    let handler = WritabilityHandler { [weak self] change in
      switch change {
      case .writable: self?.write()
      case .closed: self?.end(.failure(ChannelError.ioOnClosedChannel))
      }
    }
    state.withLockedValue { if $0.isOpen { $0.handler = handler } }
    channel.pipeline.addHandler(handler).whenComplete { result in
      switch result {
      case .success: self.follow(handler)
      case .failure(let error): self.end(.failure(error))
      }
    }
  }

  private func follow(_ handler: WritabilityHandler) {
    let isOpen = state.withLockedValue { state in
      state.isFollowing = state.isOpen
      return state.isOpen
    }
    if isOpen { write() } else { channel.pipeline.removeHandler(handler, promise: nil) }
  }

  // MARK: From upstream

  func receive(subscription: any Subscription) {
    let isWanted = state.withLockedValue { $0.attach(subscription) }
    if !isWanted { subscription.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if state.withLockedValue({ $0.append(input) }) { writeOnLoop() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    // Releases the subscription at once.
    _ = state.withLockedValue { $0.upstreamEnded(completion.erased) }
    writeOnLoop()
  }

  // MARK: From downstream

  /// There are no values to request.
  func request(_: Subscribers.Demand) {}

  func cancel() { end(nil) }

  // MARK: On the event loop

  private func writeOnLoop() {
    if channel.eventLoop.inEventLoop { write() } else { channel.eventLoop.execute { self.write() } }
  }

  /// Writes what waits, requests as much as was written, and leaves what follows to another turn of the event loop.
  private func write() {
    guard let values = state.withLockedValue({ $0.beginTurn() }) else { return }
    for value in values {
      channel.write(value).whenComplete { result in
        switch result {
        case .success: self.ended(self.state.withLockedValue { $0.wroteOne() })
        case .failure(let error): self.end(.failure(error))
        }
      }
    }
    if !values.isEmpty { channel.flush() }
    if let (subscription, demand) = state.withLockedValue({ $0.demand(isWritable: channel.isWritable) }) {
      subscription.request(demand)
    }
    let (hasMore, completion) = state.withLockedValue { $0.endTurn() }
    if hasMore { channel.eventLoop.execute { self.write() } }
    ended(completion)
  }

  private func ended(_ completion: Subscribers.Completion<any Error>?) {
    if let completion { end(completion) }
  }

  /// Ends everything, once. Without a completion, downstream receives nothing.
  private func end(_ completion: Subscribers.Completion<any Error>?) {
    guard let old = state.withLockedValue({ $0.close() }) else { return }
    old.subscription?.cancel()
    if let handler = old.handler { channel.pipeline.removeHandler(handler, promise: nil) }
    if let completion { old.downstream?.receive(completion: completion) }
  }
}

// Unchecked, because the lock guards the state.
extension ChannelWriter: @unchecked Sendable {}

extension Subscribers.Completion {
  var erased: Subscribers.Completion<any Error> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(error)
    }
  }
}

/// Follows whether a channel is writable.
final class WritabilityHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = Any

  enum Change {
    case writable
    case closed
  }

  private let onChange: @Sendable (Change) -> Void

  init(onChange: @escaping @Sendable (Change) -> Void) { self.onChange = onChange }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { onChange(.writable) }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    onChange(.closed)
    context.fireChannelInactive()
  }

  /// A channel that is closed before it was active, such as one whose peer refuses it, only removes its handlers.
  func handlerRemoved(context _: ChannelHandlerContext) { onChange(.closed) }
}
