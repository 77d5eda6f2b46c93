internal import NIOCore
internal import Streams

/// What has arrived in a channel, what is requested of it, and for which subscriber.
struct InboundState<Message: Sendable> {
  typealias Downstream = any Subscriber<Message, any Error>

  enum Step {
    case value(Message, Downstream)
    case completion(Subscribers.Completion<any Error>, Downstream)
    case read(LoopContext)
    case nothing
  }

  /// Before the handler is added, and after it is removed, there is none.
  var context: LoopContext?
  /// Delivers what is left after the handler is removed, too.
  var eventLoop: (any EventLoop)?
  var isActive = false
  var demand = Subscribers.Demand.none
  var ending: Subscribers.Completion<any Error>?
  /// Nothing is delivered while the subscriber receives its subscription on another thread.
  var hasSubscription = false
  /// The channel was asked to read, and has not answered.
  var isReading = false

  private var downstream: Downstream?
  private var waiting = CircularBuffer<Message>()
  private var wasAttached = false
  private(set) var isClosed = false
  private var isDelivering = false

  mutating func attach(_ subscriber: Downstream) -> Bool {
    if wasAttached { return false }
    wasAttached = true
    downstream = subscriber
    return true
  }

  /// Keeps a message, unless it came too late.
  mutating func take(_ message: Message) {
    if ending == nil, !isClosed { waiting.append(message) }
  }

  mutating func next() -> Step {
    if isDelivering || !hasSubscription { return .nothing }
    guard let downstream else { return .nothing }
    if demand > .none, let message = waiting.popFirst() {
      demand -= 1
      isDelivering = true
      return .value(message, downstream)
    }
    if waiting.isEmpty, let ending {
      _ = close()
      return .completion(ending, downstream)
    }
    // A channel that is not registered yet would take note of a read, and never begin it.
    if demand > .none, waiting.isEmpty, !isReading, isActive, let context {
      isReading = true
      return .read(context)
    }
    return .nothing
  }

  mutating func endDelivery(requesting more: Subscribers.Demand) {
    isDelivering = false
    demand += more
  }

  /// Releases the subscriber and what waits for it.
  ///
  /// - Returns: What the caller releases outside of the lock.
  mutating func close() -> (Downstream?, CircularBuffer<Message>) {
    defer { (isClosed, downstream, waiting) = (true, nil, CircularBuffer()) }
    return (downstream, waiting)
  }
}

/// A context of the pipeline, on its way to its event loop.
// Unchecked, because what a context can do is done on the event loop only. The channel is for every thread.
struct LoopContext: @unchecked Sendable {
  let value: ChannelHandlerContext
  let channel: any Channel

  init(_ context: ChannelHandlerContext) { (value, channel) = (context, context.channel) }
}
