internal import Streams

extension Lifetimes {
  /// Runs `body`, and then ends what it has left.
  ///
  /// A stream that is recorded and neither ends nor is cancelled holds itself, its recorder and its schedulers: a leak,
  /// as a leak sanitizer sees it. So each ``Recorder`` made in `body` cancels its stream if that goes on, each
  /// ``Script`` lets go of its subscribers, and each ``TestScheduler`` drops what is still to be run. What another
  /// thread has made is not known here.
  ///
  /// ```swift
  /// Lifetimes.endingWhatIsLeft {
  ///   let recorder = subject.map { $0 + 1 }.record()
  ///   subject.send(1)
  ///   #expect(recorder.values == [2])
  /// }
  /// ```
  public static func endingWhatIsLeft<Result>(_ body: () throws -> Result) rethrows -> Result {
    let belongings = Belongings()
    defer { belongings.end() }
    return try Belongings.$current.withValue(belongings, operation: body)
  }

  /// The same for what takes time.
  public static func endingWhatIsLeft<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let belongings = Belongings()
    defer { belongings.end() }
    return try await Belongings.$current.withValue(belongings, operation: body, isolation: isolation)
  }
}

/// What was made of this kit's parts, held weakly.
final class Belongings: Sendable {
  @TaskLocal static var current: Belongings?

  private struct Held {
    weak var part: (any Belonging)?
  }

  private let parts = Guarded<[Held]>([])

  func note(_ part: any Belonging) { parts.withLock { $0.append(Held(part: part)) } }

  func end() {
    for held in parts.withLock({ $0 }) { held.part?.endWhatIsLeft() }
  }
}

/// A part of this kit that can hold a stream which nobody ends.
protocol Belonging: AnyObject {
  func endWhatIsLeft()
}
