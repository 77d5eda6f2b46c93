/// Carries an action to where a scheduler, or the system, runs it.
///
/// The closures of ``Streams/Scheduler`` are not `@Sendable`, so any value may be sent to another thread. This box is
/// the only unchecked step. Each use states why its scheduler may take it. A search for `Transfer(` finds all uses.
struct Transfer<Action>: @unchecked Sendable {  // see the reasons where it is made
  let run: Action

  init(_ action: Action) { run = action }
}
