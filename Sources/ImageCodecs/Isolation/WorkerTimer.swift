import CSandbox

/// Runs work that nobody waits for, on a thread that all decoders share.
enum WorkerTimer {
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Returns false if the system has no thread for it.
  static func run(after delay: Duration, _ run: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(run))
    let milliseconds = Int64(min(max(delay / .milliseconds(1), 0), 1e9))
    let status = sandbox_after(
      milliseconds,
      { context in
        guard let context else { return }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
      }, work.toOpaque())
    if status != 0 { work.release() }
    return status == 0
  }
}
