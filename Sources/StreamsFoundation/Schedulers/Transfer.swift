/// Carries an action to where a scheduler runs it.
///
/// The closures of ``Streams/Scheduler`` are not `@Sendable`, so that any value may hop; this box is the one place
/// where that is vouched for. Each use says why its scheduler may: searching for `Transfer(` finds them all.
struct Transfer: @unchecked Sendable {  // see the reasons where it is made
  let run: () -> Void

  init(_ action: @escaping () -> Void) { run = action }
}
