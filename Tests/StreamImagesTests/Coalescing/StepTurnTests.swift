import StreamImages
import Streams
import Testing

@Suite("`FlowStep`: values in turn")
struct StepTurnTests {
  private struct Value: JobValue {
    let name: String
    var isPreview: Bool
    var wasCoalesced = false
    var job: UInt64?
  }

  /// A step in turn whose source and whose continuations a test delivers by hand.
  private final class Script: Sendable {
    final class Work: Cancellable, Sendable {
      let isCancelled = Shared(false)
      func cancel() { isCancelled.change { $0 = true } }
    }

    let (source, run) = (Work(), StepRun())
    let begun = Shared([String]())
    let delivered = Shared([String]())
    private let upstream = Shared<FlowStep<Value>.Receiver?>(nil)
    private let continuations = Shared<[String: (work: Work, receive: FlowStep<String?>.Receiver)]>([:])

    /// Called with each name while it is delivered.
    let onDelivery = Shared<@Sendable (String) -> Void>({ _ in })

    init() {
      let first = FlowStep<Value> { [upstream, source] run, receive in
        upstream.change { $0 = receive }
        run.hold { source }
      }
      let turns = first.inTurn { [begun, continuations] value in
        FlowStep<String?> { run, receive in
          let work = Work()
          begun.change { $0.append(value.name) }
          continuations.change { $0[value.name] = (work, receive) }
          run.hold { work }
        }
      }
      turns.begin(run) { [delivered, onDelivery] outcome in
        switch outcome {
        case .success(let name):
          onDelivery.value(name)
          delivered.change { $0.append(name) }
        case .failure(let error): delivered.change { $0.append("\(error.code)") }
        }
      }
    }

    func send(_ names: String...) {
      for name in names { upstream.value?(.success(Value(name: name, isPreview: name != "result"))) }
    }
    func fail() { upstream.value?(.failure(.dataIsEmpty)) }
    func finish(_ name: String, _ output: String?) { continuations.value[name]?.receive(.success(output)) }
    func fail(_ name: String) { continuations.value[name]?.receive(.failure(.dataIsEmpty)) }
    func isCancelled(_ name: String) -> Bool? { continuations.value[name]?.work.isCancelled.value }
  }

  private let failure = "\(ImagePipeline.Error.dataIsEmpty.code)"

  @Test("Only the latest of the previews that arrive while one is continued follows, and the result at once")
  func turns() {
    let script = Script()
    script.send("1", "2", "3")
    #expect(script.begun.value == ["1"])
    script.finish("1", "one")
    #expect(script.begun.value == ["1", "3"] && script.delivered.value == ["one"])
    script.send("4", "result")
    #expect(script.begun.value == ["1", "3", "result"] && script.isCancelled("3") == true)
    // What was overtaken delivers nothing, and is followed by nothing.
    script.finish("3", "three")
    script.fail("3")
    #expect(script.begun.value == ["1", "3", "result"] && script.delivered.value == ["one"])
    script.finish("result", "whole")
    script.finish("3", "three")
    // Nothing follows the result.
    script.send("5")

    #expect(script.begun.value == ["1", "3", "result"] && script.delivered.value == ["one", "whole"])
    #expect(!script.source.isCancelled.value && script.isCancelled("result") == false)
  }

  @Test("A result that arrives while a preview is delivered follows it")
  func delivering() {
    let script = Script()
    script.onDelivery.change {
      $0 = { [weak script] name in
        guard name == "one" else { return }
        script?.send("result")
        script?.finish("result", "whole")
      }
    }
    script.send("1")
    script.finish("1", "one")

    #expect(script.delivered.value == ["one", "whole"])
  }

  @Test("A preview whose step delivers nothing is left out, and the next one follows")
  func leftOut() {
    let script = Script()
    script.send("1", "2")
    script.finish("1", nil)
    script.finish("2", "two")

    #expect(script.begun.value == ["1", "2"] && script.delivered.value == ["two"])
  }

  @Test("A preview begins at once if nothing is being continued")
  func pauses() {
    let script = Script()
    for name in ["1", "2", "3"] {
      script.send(name)
      script.finish(name, name)
    }

    #expect(script.begun.value == ["1", "2", "3"] && script.delivered.value == ["1", "2", "3"])
  }

  @Test("A result whose step delivers nothing is a failure")
  func nothing() {
    let script = Script()
    script.send("result")
    script.finish("result", nil)

    #expect(script.delivered.value == [failure])
  }

  @Test("A failure of the source cancels the step that continues a value, and nothing follows")
  func sourceFailure() {
    let script = Script()
    script.send("1", "2")
    script.fail()
    #expect(script.delivered.value == [failure] && script.isCancelled("1") == true)
    script.send("3")

    #expect(script.begun.value == ["1"])
  }

  @Test("A failure of a step that continues a value ends the whole")
  func stepFailure() {
    let script = Script()
    script.send("1", "2")
    script.fail("1")
    script.send("3")

    #expect(script.delivered.value == [failure] && script.begun.value == ["1"])
  }

  @Test("Cancelling cancels the source and the step that continues a value")
  func cancelling() {
    let script = Script()
    script.send("1", "2")
    script.run.cancel()
    #expect(script.source.isCancelled.value && script.isCancelled("1") == true)
    script.send("3")
    script.finish("1", nil)

    #expect(script.begun.value == ["1"] && script.delivered.value.isEmpty)
  }
}
