internal import Foundation
internal import Streams

/// The hook of Swift's runtime for jobs that become ready. Jobs without an owner take their usual way.
enum JobHooks {
  private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

  // Written under the lock. The runtime reads it whenever a job becomes ready, as it does for every tool that uses it.
  private static let variable = Guarded(Variable("swift_task_enqueueGlobal_hook"))

  /// False if the runtime has no hook, or another tool uses it.
  @discardableResult
  static func install() -> Bool {
    variable.withLock { variable in
      variable?.set { job, enqueue in
        guard let owner = StartedJobs.owner(of: job) else { return enqueue(job) }
        owner.enqueue(job)
      } ?? false
    }
  }

  /// A variable of the runtime with a function, or none.
  private struct Variable {
    private let place: UnsafeMutableRawPointer

    init?(_ name: String) {
      guard let place = dlsym(dlopen(nil, RTLD_LAZY), name) else { return nil }
      self.place = place
    }

    /// False if another function is there.
    func set(_ hook: @escaping Hook) -> Bool {
      let word = unsafeBitCast(hook, to: UInt.self)
      let now = place.load(as: UInt.self)
      if now == 0 { place.storeBytes(of: word, as: UInt.self) }
      return now == 0 || now == word
    }
  }
}
