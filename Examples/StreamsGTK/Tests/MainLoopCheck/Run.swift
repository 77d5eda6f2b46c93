import CGLib
import Foundation
import Streams

/// The application that a check runs in, and what became of it.
@MainActor
final class Run {
  var mainQueue: AnyCancellable?
  var subscriptions: Set<AnyCancellable> = []
  /// What is called in the application's `activate`.
  var activated: (() -> Void)?
  private(set) var result = "The check never ended."
  private let application: UnsafeMutablePointer<GApplication>
  private let mainThread = pthread_self()

  init() {
    application = g_application_new(nil, G_APPLICATION_NON_UNIQUE)
    // A check that never ends.
    g_timeout_add_seconds(20, { _ in exit(3) }, nil)
  }

  /// Runs the application until ``end(_:)``.
  func loop() {
    let call: @convention(c) (gpointer) -> Void = { run in
      MainActor.assumeIsolated { Unmanaged<Run>.fromOpaque(run).takeUnretainedValue().activated?() }
    }
    g_signal_connect_data(
      application, "activate", unsafeBitCast(call, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(),
      nil, G_CONNECT_SWAPPED)
    g_application_hold(application)
    _ = g_application_run(application, 0, nil)
  }

  func end(_ isRight: Bool = true, _ report: @autoclosure () -> String = "It is not as it should be.") {
    result = isRight ? "holds" : report()
    g_application_quit(application)
  }

  /// Ends with whether `values` are as expected, and all of it happened on the main thread.
  func end<Value: Equatable>(_ values: Value, are expected: Value) {
    end(values == expected && isMainThread, "\(values) on the main thread: \(isMainThread)")
  }

  /// Of the system: which thread this is, whatever Dispatch says.
  var isMainThread: Bool { pthread_equal(mainThread, pthread_self()) != 0 }
}
