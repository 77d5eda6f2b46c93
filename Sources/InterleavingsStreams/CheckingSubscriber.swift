internal import CInterleavings
internal import Interleavings
internal import Streams

/// A subscriber that ends a schedule when a law of the contract is broken.
///
/// What it does itself is not seen, except that another thread may go on inside of each delivery.
final class CheckingSubscriber<Input, Failure: Error>: Subscriber, @unchecked Sendable {  // one thread of the system
  private(set) var received = Received<Input, Failure>()
  private var subscription: (any Subscription)?
  private var demand: Subscribers.Demand
  /// The thread that delivers, and how many deliveries are inside each other.
  private var delivering: Int?
  private var depth = 0
  /// The thread and the step at which a cancellation had returned.
  private var cancellation: (thread: Int, step: UInt16)?
  /// The threads that began after it, and how many deliveries of others began after it.
  private var lateThreads: Set<Int> = []
  private var lateDeliveries: [Int: Int] = [:]

  init(demand: Subscribers.Demand) { self.demand = demand }

  // MARK: Called by the publisher

  func receive(subscription: any Subscription) {
    deliver {
      if self.subscription != nil { fail("Law C01 is broken: a second subscription is received.") }
      self.subscription = subscription
    }
    if demand > .none { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    deliver {
      if subscription == nil { fail("Law C01 is broken: a value is received before the subscription.") }
      if received.completion != nil { fail("Law X02 is broken: a value is received after the completion.") }
      if isCancelled { fail("Law C08 is broken: a value is received after a cancellation has returned.") }
      if demand == .none { fail("Law C04 is broken: a value is received that was not requested.") }
      if demand != .unlimited { demand -= 1 }
      received.values.append(input)
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    deliver {
      if subscription == nil { fail("Law C01 is broken: a completion is received before the subscription.") }
      if received.completion != nil { fail("Law X06 is broken: a second completion is received.") }
      if isCancelled {
        fail("Law C08 is broken: a completion is received after a cancellation has returned.")
      }
      received.completion = completion
    }
  }

  // MARK: Called by the scenario

  func cancel() {
    unseen { subscription }?.cancel()
    unseen {
      guard cancellation == nil else { return }
      cancellation = (runningThread ?? -1, interleavings_step())
    }
  }

  /// The running thread begins with what the scenario has it do.
  func beginThread() {
    unseen { if cancellation != nil, let thread = runningThread { lateThreads.insert(thread) } }
  }

  func request(_ more: Subscribers.Demand) {
    let subscription = unseen {
      demand += more
      return self.subscription
    }
    subscription?.request(more)
  }

  // MARK: Checks

  /// Calls of one thread may be inside each other; those of two threads may not overlap.
  private func deliver(_ body: () -> Void) {
    unseen {
      let thread = runningThread ?? -1
      if let delivering, delivering != thread {
        fail("Law X01 is broken: two threads call the subscriber at the same time.")
      }
      delivering = thread
      depth += 1
      body()
      interleavings_point(Unmanaged.passUnretained(self).toOpaque())
      depth -= 1
      if depth == 0 { delivering = nil }
    }
  }

  /// Whether a cancellation had returned before what delivers now began: in the order of the schedule, if all of its values
  /// are the newest. One delivery of each thread may have been under way.
  private var isCancelled: Bool {
    guard let cancellation else { return false }
    let thread = runningThread ?? -1
    if interleavings_stale() == 0 {
      if lateThreads.contains(thread) { return true }
      if depth == 1 { lateDeliveries[thread, default: 0] += 1 }
      if lateDeliveries[thread, default: 0] > 1 { return true }
    }
    return interleavings_knows(Int32(cancellation.thread), cancellation.step)
  }

  private func fail(_ message: StaticString) {
    message.withUTF8Buffer {
      interleavings_fail(UnsafeRawPointer($0.baseAddress!).assumingMemoryBound(to: CChar.self))
    }
  }
}
