internal import NIOCore
internal import Streams

/// The values on their way to a channel.
struct WriterState<Value> {
  /// How many values are requested at a time. Half of them are on their way while the others are written.
  static var batch: Int { 64 }

  private(set) var downstream: (any Subscriber<Never, any Error>)?
  private(set) var subscription: (any Subscription)?
  var handler: WritabilityHandler?
  /// The handler is in the pipeline: before that, nothing is requested.
  var isFollowing = false

  private(set) var isOpen = true
  private var waiting = CircularBuffer<Value>()
  /// How many values were requested, and have not arrived.
  private var requested = 0
  /// How many values the channel has not written yet.
  private var writing = 0
  private var ending: Subscribers.Completion<any Error>?
  private var isInTurn = false

  init(downstream: any Subscriber<Never, any Error>) { self.downstream = downstream }

  /// False for a second subscription, and after the end.
  mutating func attach(_ subscription: any Subscription) -> Bool {
    guard isOpen, self.subscription == nil else { return false }
    self.subscription = subscription
    return true
  }

  /// Keeps a value. False if it was not requested.
  mutating func append(_ value: Value) -> Bool {
    guard isOpen, ending == nil, requested > 0 else { return false }
    requested -= 1
    waiting.append(value)
    return true
  }

  /// - Returns: The subscription, which the caller releases outside of the lock.
  mutating func upstreamEnded(_ completion: Subscribers.Completion<any Error>) -> (any Subscription)? {
    guard isOpen, ending == nil else { return nil }
    ending = completion
    defer { subscription = nil }
    return subscription
  }

  /// The values to write; `nil` if a turn has begun already, which goes on with them.
  mutating func beginTurn() -> [Value]? {
    guard isOpen, !isInTurn else { return nil }
    isInTurn = true
    defer { waiting.removeAll(keepingCapacity: true) }
    writing += waiting.count
    return Array(waiting)
  }

  /// What to request now.
  mutating func demand(isWritable: Bool) -> (any Subscription, Subscribers.Demand)? {
    guard isWritable, isOpen, isFollowing, let subscription, requested <= Self.batch / 2 else { return nil }
    let more = Self.batch - requested
    requested = Self.batch
    return (subscription, .max(more))
  }

  /// - Returns: Whether another turn has something to do, and the completion to deliver.
  mutating func endTurn() -> (Bool, Subscribers.Completion<any Error>?) {
    isInTurn = false
    return (isOpen && !waiting.isEmpty, completion)
  }

  mutating func wroteOne() -> Subscribers.Completion<any Error>? {
    writing -= 1
    return completion
  }

  private var completion: Subscribers.Completion<any Error>? {
    waiting.isEmpty && writing == 0 && !isInTurn ? ending : nil
  }

  /// The state before, for its parts to be used and released outside of the lock. `nil` if it was closed already.
  mutating func close() -> Self? {
    guard isOpen else { return nil }
    defer {
      (isOpen, downstream, subscription, handler) = (false, nil, nil, nil)
      waiting = CircularBuffer()
    }
    return self
  }
}
