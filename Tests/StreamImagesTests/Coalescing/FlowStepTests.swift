import StreamImages
import Testing

@Suite("`FlowStep`")
struct FlowStepTests {
  private struct Value: JobValue {
    var isPreview = false
    var wasCoalesced = false
    var job: UInt64?
  }

  private final class Object: Sendable {}

  private func delivering(_ values: [Value]) -> FlowStep<Value> {
    FlowStep { _, receive in for value in values { receive(.success(value)) } }
  }

  @Test("A flow step releases everything with its result, even with a nested `inTurn`")
  func released() {
    weak var remaining: Object?
    do {
      let object = Object()
      remaining = object
      let inner = delivering([Value()]).inTurn { [object] value in
        withExtendedLifetime(object) { FlowStep<Value?> { _, receive in receive(.success(value)) } }
      }
      delivering([Value()])
        .inTurn { [inner] _ in
          FlowStep<Value?> { run, receive in inner.begin(run) { receive($0.map(Optional.some)) } }
        }
        .begin(StepRun()) { _ in }
    }

    #expect(remaining == nil)
  }
}
