internal import CGLib
internal import Dispatch
public import Streams

/// Serves the main actor and Dispatch's main queue from a GLib main loop.
///
/// ```swift
/// let mainQueue = MainQueueSource.attach()
/// g_application_run(application, 0, nil)
/// ```
///
/// `@MainActor` tasks and closures, `receive(on: DispatchQueue.main)`, `receive(on: RunLoop.main)`, and timers of
/// Streams on either then run while GLib's loop runs. Nothing polls: a descriptor wakes the loop.
public enum MainQueueSource {
  /// The priority at which GTK draws.
  ///
  /// Sources of the same priority take turns. So a main actor that always has work does not stop the drawing, and
  /// drawing does not stop the main actor. Input comes before both.
  public static let defaultPriority = G_PRIORITY_HIGH_IDLE + 20

  /// Serves the main queue until the result is cancelled or dropped.
  ///
  /// Call it on the main thread, which must be the thread that runs the loop. Work that waits in the main queue already runs
  /// as soon as the loop does. A main loop that you run inside work of the main queue, a modal dialog for example, does
  /// not serve the main queue before that work returns. Inside a handler of GTK it does.
  ///
  /// On macOS this does nothing: there GTK runs the loop of the system, which serves the main queue.
  ///
  /// - Parameters:
  ///   - context: `nil` for the default context, which `g_application_run` runs.
  ///   - priority: Sources of a lower number run first.
  @MainActor
  public static func attach(
    to context: OpaquePointer? = nil, priority: Int32 = defaultPriority
  ) -> AnyCancellable {
    #if os(Linux)
      let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)!
      let serve: GUnixFDSourceFunc = { descriptor, _, _ in
        // What counts is that it was written to. It is not blocking.
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        _dispatch_main_queue_callback_4CF(nil)
        return 1
      }
      g_source_set_priority(source, priority)
      g_source_set_callback(source, unsafeBitCast(serve, to: GSourceFunc.self), nil, nil)
      g_source_attach(source, context)
      let owner = SourceOwner(source)
      return AnyCancellable { owner.destroy() }
    #else
      return AnyCancellable {}
    #endif
  }
}

/// Destroys a source.
private final class SourceOwner: @unchecked Sendable {  // GLib's sources may be used from any thread
  private let source: UnsafeMutablePointer<GSource>

  init(_ source: UnsafeMutablePointer<GSource>) { self.source = source }

  func destroy() { g_source_destroy(source) }

  deinit { g_source_unref(source) }
}
