internal import Dispatch

/// Whether the caller is on the main actor: the one thing for which Streams needs Dispatch.
///
/// `Thread.isMainThread` would be wrong: once an async main has suspended, another thread may drain the main queue.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
