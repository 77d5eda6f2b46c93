import Foundation
import StreamImages

/// Gives a stage the jobs of all tasks of this process.
enum JobHook {
  private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

  private static let current = Guarded<Stage?>(nil)

  /// False if the runtime has no such hook.
  static func install() -> Bool {
    guard let place = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return false }
    let hook: Hook = { job, enqueue in
      guard let stage = JobHook.current.withLock({ $0 }) else { return enqueue(job) }
      stage.enqueue(job)
    }
    place.storeBytes(of: unsafeBitCast(hook, to: UInt.self), as: UInt.self)
    return true
  }

  /// Until this is called with `nil`, all jobs are the stage's.
  static func set(_ stage: Stage?) { current.withLock { $0 = stage } }
}
