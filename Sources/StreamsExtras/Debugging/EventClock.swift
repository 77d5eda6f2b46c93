internal import CThreads

/// The time and the place of an event, the same for all tools: their times can be compared.
enum EventClock {
  private static let start = cthreads_nanoseconds()

  /// The nanoseconds since a tool of this process first asked. The clock never goes back.
  static var now: UInt64 {
    let start = start  // first
    return cthreads_nanoseconds() &- start
  }

  /// A short number of the calling thread. The main thread has number 1.
  static var thread: Int { Int(cthreads_number()) }

  /// The label of the Dispatch queue of the calling thread, empty without one. Valid as long as the queue exists.
  static var queueLabel: UnsafePointer<CChar> { cthreads_queue_label()! }
}

extension Duration {
  /// A text such as `0.003`, in seconds.
  package var thousandths: String {
    let (seconds, attoseconds) = components
    return "\(seconds).\(String(attoseconds / 1_000_000_000_000_000 + 1000).dropFirst())"
  }
}
