import StreamImages
import Streams
import Testing

@Suite("`StepRun`", .timeLimit(.minutes(20)))
struct StepRunTests {
  /// Counts how many times it is cancelled.
  private final class Work: Cancellable, Sendable {
    let cancellations = Shared(0)
    func cancel() { cancellations.change { $0 += 1 } }
  }

  @Test("Cancelling a run cancels its work once, and nothing begins afterwards")
  func cancelling() {
    let (run, work, late) = (StepRun(), Work(), Shared(0))
    run.hold { work }
    #expect(work.cancellations.value == 0)

    run.cancel()
    run.cancel()
    run.hold {
      late.change { $0 += 1 }
      return nil
    }

    #expect(work.cancellations.value == 1 && late.value == 0)
  }

  @Test("Later work of a run replaces earlier work, which is cancelled")
  func replacing() {
    let (run, works) = (StepRun(), (0..<3).map { _ in Work() })

    for work in works { run.hold { work } }
    #expect(works.map(\.cancellations.value) == [1, 1, 0])
    run.cancel()

    #expect(works.map(\.cancellations.value) == [1, 1, 1])
  }

  @Test("Work that a run begins while it begins other work is the later one")
  func nested() {
    let (run, outer, inner) = (StepRun(), Work(), Work())

    run.hold {
      run.hold { inner }
      return outer
    }
    #expect(outer.cancellations.value == 1 && inner.cancellations.value == 0)
    run.cancel()

    #expect(outer.cancellations.value == 1 && inner.cancellations.value == 1)
  }

  @Test("Work of a run that is cancelled while it begins is cancelled")
  func cancelledMeanwhile() {
    let (run, work) = (StepRun(), Work())

    run.hold {
      run.cancel()
      return work
    }

    #expect(work.cancellations.value == 1)
  }

  // MARK: Steps

  private struct Value: JobValue, Equatable {
    var name: String
    var isPreview = false
    var wasCoalesced = false
    var job: UInt64?
  }

  /// The outcomes of a step that delivers at once: names, or the code of an error.
  private func outcomes<Output>(_ step: FlowStep<Output>, _ name: @escaping @Sendable (Output) -> String)
    -> [String]
  {
    let lines = Shared([String]())
    step.begin(StepRun()) { outcome in
      switch outcome {
      case .success(let output): lines.change { $0.append(name(output)) }
      case .failure(let error): lines.change { $0.append("\(error.code)") }
      }
    }
    return lines.value
  }

  @Test("Steps pass on values and failures, each to the next")
  func passing() {
    let failing = FlowStep<Int>.failing(.dataIsEmpty)
    let failure = ["\(ImagePipeline.Error.dataIsEmpty.code)"]
    #expect(outcomes(FlowStep<Int>.just(3)) { "\($0)" } == ["3"])
    #expect(outcomes(failing) { "\($0)" } == failure)
    #expect(outcomes(FlowStep<Int>.just(3).map { $0 + 1 }) { "\($0)" } == ["4"])
    #expect(outcomes(failing.map { $0 + 1 }) { "\($0)" } == failure)
    #expect(outcomes(FlowStep<Int>.just(3).flatMap { .just("\($0)") }) { $0 } == ["3"])
    #expect(outcomes(FlowStep<Int>.just(3).flatMap { _ in failing }) { "\($0)" } == failure)
    #expect(outcomes(failing.flatMap { .just("\($0)") }) { $0 } == failure)
  }

  @Test("Previews of a step can be left out, and each of its values observed first")
  func previews() {
    let values = [Value(name: "1", isPreview: true), Value(name: "2", isPreview: true), Value(name: "3")]
    let step = FlowStep<Value> { _, receive in for value in values { receive(.success(value)) } }
    let seen = Shared([String]())

    #expect(outcomes(step) { $0.name } == ["1", "2", "3"])
    #expect(outcomes(step.withoutPreviews) { $0.name } == ["3"])
    let observed = outcomes(step.handleOutput { value in seen.change { $0.append(value.name) } }) { value in
      "\(value.name) of \(seen.value.count)"
    }
    #expect(observed == ["1 of 1", "2 of 2", "3 of 3"])
    let failing = FlowStep<Value>.failing(.dataIsEmpty)
    #expect(outcomes(failing.withoutPreviews) { $0.name } == ["\(ImagePipeline.Error.dataIsEmpty.code)"])
  }

  @Test("A step of a task delivers previews and a result or an error, and its task is cancelled with it")
  func tasks() async {
    let (lines, run, begun) = (Shared([String]()), StepRun(), Latch())
    let step = FlowStep<Int>.task {
      (show: @escaping @Sendable (Int) -> Void) async throws(ImagePipeline.Error) in
      show(1)
      show(2)
      return 3
    }
    step.begin(run) { outcome in lines.change { $0.append((try? outcome.get()).map { "\($0)" } ?? "error") } }
    await until { lines.value.count == 3 }
    #expect(lines.value == ["1", "2", "3"])

    let waiting = FlowStep<Int>.task { () async throws(ImagePipeline.Error) in
      begun.open()
      while !Task.isCancelled { await Task.yield() }
      throw .cancelled
    }
    let end = StepRun()
    waiting.begin(end) { outcome in
      lines.change { $0.append((try? outcome.get()).map { "\($0)" } ?? "error") }
    }
    await begun.wait()
    end.cancel()
    await until { lines.value.count == 4 }
    #expect(lines.value.last == "error")
  }

  @Test("Waiting for the result of a step leaves out previews, and ends its run")
  func awaiting() async throws {
    let (work, values) = (Work(), [Value(name: "1", isPreview: true), Value(name: "2")])
    let step = FlowStep<Value> { run, receive in
      run.hold { work }
      for value in values { receive(.success(value)) }
    }
    #expect(try await result(of: step).name == "2")
    #expect(work.cancellations.value == 1)

    let (endless, begun) = (Work(), Latch())
    let task = Task {
      await imageFailure { () throws(ImagePipeline.Error) in
        try await result(
          of: FlowStep<Value> { run, _ in
            run.hold { endless }
            begun.open()
          })
      }
    }
    await begun.wait()
    task.cancel()

    #expect(await task.value?.isCancellation == true)
    #expect(endless.cancellations.value == 1)
  }
}
