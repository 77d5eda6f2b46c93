internal import Streams

extension Lifetimes {
  /// Runs `body`, and then ends the streams that it left open.
  ///
  /// A recorded stream that neither completes nor is cancelled retains itself, its recorder and its schedulers, and a leak
  /// sanitizer reports it. So each ``Recorder`` created in `body` cancels its stream, each ``Script`` releases its
  /// subscribers, and each ``TestScheduler`` drops its scheduled actions. Objects that other threads or detached tasks create
  /// are not included.
  ///
  /// ```swift
  /// Lifetimes.endingWhatIsLeft {
  ///   let recorder = subject.map { $0 + 1 }.record()
  ///   subject.send(1)
  ///   #expect(recorder.values == [2])
  /// }
  /// ```
  public static func endingWhatIsLeft<Result>(_ body: () throws -> Result) rethrows -> Result {
    let scope = TestScope()
    defer { scope.end() }
    return try TestScope.$current.withValue(scope, operation: body)
  }

  /// The same for asynchronous code.
  public static func endingWhatIsLeft<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let scope = TestScope()
    defer { scope.end() }
    return try await TestScope.$current.withValue(scope, operation: body, isolation: isolation)
  }
}

/// The parts of this kit that were created, held weakly.
final class TestScope: Sendable {
  @TaskLocal static var current: TestScope?

  private struct Held {
    weak var part: (any ScopedPart)?
  }

  private let parts = Guarded<[Held]>([])

  func note(_ part: any ScopedPart) { parts.withLock { $0.append(Held(part: part)) } }

  func end() {
    for held in parts.withLock({ $0 }) { held.part?.endWhatIsLeft() }
  }
}

/// A part of this kit that can retain a stream without an end.
protocol ScopedPart: AnyObject {
  func endWhatIsLeft()
}
