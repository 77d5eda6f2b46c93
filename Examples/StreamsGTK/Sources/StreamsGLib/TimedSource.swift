internal import CGLib
internal import Dispatch

/// A source of a main loop that is ready from a time on. It calls a scheduler then.
///
/// Ends with its last reference.
final class TimedSource: @unchecked Sendable {  // GLib's sources may be used from any thread
  private let source: UnsafeMutablePointer<GSource>

  init(priority: Int32) {
    source = g_source_new(Self.functions, UInt32(MemoryLayout<GSource>.size))
    g_source_set_priority(source, priority)
    g_source_set_ready_time(source, -1)
    g_source_set_can_recurse(source, 1)
  }

  deinit {
    g_source_destroy(source)
    g_source_unref(source)
  }

  /// - Parameters:
  ///   - context: `nil` for the default context.
  ///   - scheduler: Not kept alive.
  func attach(to context: OpaquePointer?, of scheduler: GMainContextScheduler) {
    let data = Unmanaged.passRetained(Target(scheduler: scheduler)).toOpaque()
    g_source_set_callback(
      source,
      { data in
        Target.at(data).scheduler?.run()
        return 1
      },
      data,
      { data in
        // The source has been destroyed: by its owner, or because its context was freed.
        Target.at(data).scheduler?.drop()
        Unmanaged<Target>.fromOpaque(data!).release()
      })
    g_source_attach(source, context)
  }

  /// Makes the source ready at a time of uptime in nanoseconds, or at no time.
  func wake(at time: UInt64?) {
    guard let time else { return g_source_set_ready_time(source, -1) }
    // Rounded up, what is due already would wait for the next microsecond, and others would overtake it.
    guard time > DispatchTime.now().uptimeNanoseconds else { return g_source_set_ready_time(source, 0) }
    // In microseconds, rounded up: nothing is early.
    g_source_set_ready_time(source, gint64(clamping: time / 1_000) + (time % 1_000 == 0 ? 0 : 1))
  }

  private final class Target: Sendable {
    weak let scheduler: GMainContextScheduler?

    init(scheduler: GMainContextScheduler) { self.scheduler = scheduler }

    static func at(_ data: gpointer?) -> Target {
      Unmanaged<Target>.fromOpaque(data!).takeUnretainedValue()
    }
  }

  /// Without functions to ask, GLib goes by the ready time alone.
  // Never written to again.
  nonisolated(unsafe) private static let functions = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.dispatch = { _, callback, data in callback?(data) ?? 0 }
    return functions
  }()
}
