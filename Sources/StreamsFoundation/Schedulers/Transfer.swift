/// Carries an action to where a scheduler, or the system, runs it.
///
/// The closures of ``Streams/Scheduler`` are not `@Sendable`, so that any value may be sent to another thread; this box is the one
/// place where that is vouched for. Each use says why its scheduler may: searching for `Transfer(` finds them all.
struct Transfer<Action>: @unchecked Sendable {  // see the reasons where it is made
  let run: Action

  init(_ action: Action) { run = action }
}
