import Interleavings
@testable import StreamImages

extension ImageScenario {
  /// Steps that follow one another: what is cancelled stops, whichever step it is at, and values arrive one at a time.
  static var steps: [ImageScenario] { followed + inTurn }

  private static func followed(
    _ name: String, _ drive: @escaping (Play, Work, StepRun, @escaping @Sendable () -> Void) -> Void
  ) -> ImageScenario {
    ImageScenario("FlowStep: \(name)") { play in
      let (first, second, run) = (Work(), Work(), StepRun())
      let step = FlowStep { first.publisher(DynamicPriority(.normal)) }.flatMap { _ in
        FlowStep { second.publisher(DynamicPriority(.normal)) }
      }
      drive(play, first, run) { step.begin(run) { _ in } }
      return {
        // Alive until here: what it holds would be cancelled when it is released.
        withExtendedLifetime(run) {
          [first, second].contains { $0.open != nil } ? "J2: a step goes on for nobody" : nil
        }
      }
    }
  }

  private static var followed: [ImageScenario] {
    [
      followed("cancelled while the next one begins") { play, first, run, begin in
        begin()
        play.thread { first.open?.finish(1) }
        play.thread { run.cancel() }
      },
      // The next one begins before there is something to cancel of the first.
      followed("cancelled, and the first one ends at once") { play, first, run, begin in
        first.onStart = { $0.finish(1) }
        play.thread { begin() }
        play.thread { run.cancel() }
      },
      followed("cancelled while the first one begins") { play, first, run, begin in
        play.thread { begin() }
        play.thread { run.cancel() }
      },
      // What is kept of the first one must not replace the next one.
      ImageScenario("FlowStep: the first one ends at once, and the next one goes on") { play in
        let (first, second, run) = (Work(), Work(), StepRun())
        let log = Log<Int>()
        first.onStart = { $0.finish(1) }
        let step = FlowStep { first.publisher(DynamicPriority(.normal)) }.flatMap { _ in
          FlowStep { second.publisher(DynamicPriority(.normal)) }
        }
        play.thread {
          step.begin(run) { if case .success(let value) = $0 { log.add(value.number) } }
          second.open?.finish(2)
        }
        return { withExtendedLifetime(run) { log.entries == [2] ? nil : "J3: \(log.entries)" } }
      },
    ]
  }

  private static func inTurn(_ name: String, cancels: Bool) -> ImageScenario {
    ImageScenario("FlowStep.inTurn: \(name)") { play in
      let (upstream, inner, run) = (Work(), Work(), StepRun())
      let log = Log<Int>()
      let step: FlowStep<EncodedImage> = FlowStep { upstream.publisher(DynamicPriority(.normal)) }
        .inTurn { value in
          FlowStep { inner.publisher(DynamicPriority(.normal)) }.map { _ in Optional(value) }
        }
      step.begin(run) { outcome in
        guard case .success(let value) = outcome else { return }
        log.add(value.number)
        if !value.isPreview { inner.close() }
      }
      let source = upstream.open!
      play.thread {
        source.show(1)
        source.show(2)
        source.finish(3)
      }
      play.thread { while let next = inner.next() { next.finish(9) } }
      if cancels {
        play.thread {
          run.cancel()
          inner.close()
        }
      }
      return {
        if log.entries != log.entries.sorted() { return "X05: \(log.entries)" }
        if !cancels, log.entries.last != 3 { return "X05: \(log.entries) without the result" }
        return upstream.open == nil ? nil : "J2: the upstream goes on for nobody"
      }
    }
  }

  private static var inTurn: [ImageScenario] {
    [inTurn("two previews and the result", cancels: false), inTurn("cancelled", cancels: true)]
  }
}
