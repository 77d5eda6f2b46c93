import Dispatch
import InMemoryTracing
import Streams
import StreamsContext
import StreamsExtras
import StreamsTesting
import StreamsTracing
import Testing
import Tracing

@Suite("Spans of subscriptions")
struct TracedTests {
  private struct Refused: Error {}

  private let tracer = InMemoryTracer()

  @Test("`traced` keeps the laws")
  func laws() {
    let report = checkLaws(exempt: [.h28: "it counts no demand: its upstream does"]) {
      $0.traced("chain", tracer: tracer)
    }

    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.kept.count > 20, "\(report)")
  }

  @Test("A span begins with a subscription and ends with its completion, with the number of values")
  func finished() throws {
    let subject = PassthroughSubject<Int, Never>()
    let received = subject.traced("chain", ofKind: .consumer, tracer: tracer).record()

    subject.send(1)
    subject.send(2)
    #expect(tracer.activeSpans.map(\.operationName) == ["chain"])
    subject.send(completion: .finished)

    let span = try #require(tracer.finishedSpans.first)
    #expect(span.kind == .consumer)
    #expect(span.attributes.get("streams.outcome") == .string("finished"))
    #expect(span.attributes.get("streams.value_count") == .int64(2))
    #expect(received.values == [1, 2])
  }

  @Test("A failed, a cancelled and a released subscription end their spans with the outcome")
  func outcomes() {
    let failing = Fail<Int, Refused>(error: Refused()).traced("fails", tracer: tracer).record()
    let endless = PassthroughSubject<Int, Never>()
    endless.traced("is cancelled", tracer: tracer).record().cancel()
    do {
      let subject = PassthroughSubject<Int, Never>()
      subject.traced("is released", tracer: tracer).record().forget()
    }

    let outcomes = tracer.finishedSpans.map { "\($0.operationName) \($0.attributes.get("streams.outcome")!)" }
    #expect(tracer.activeSpans.isEmpty)
    #expect(
      outcomes.sorted() == [
        "fails string(\"failed\")", "is cancelled string(\"cancelled\")", "is released string(\"released\")",
      ])
    let failed = tracer.finishedSpans.first { $0.operationName == "fails" }
    #expect(failed?.errors.first?.error is Refused)
    #expect(failed?.status?.code == .error)
    #expect(failed.map { "\($0.attributes.get("error.type")!)" }?.contains("Refused") == true)
    #expect(failing.completions.count == 1)
  }

  @Test("Spans above are children of the chain's span, and spans below of the caller's")
  func parents() async throws {
    let tracer = tracer
    let received = tracer.withSpan("request") { _ in
      [1].publisher
        .asyncMap { value in tracer.withSpan("above") { _ in value } }
        .traced("chain", tracer: tracer)
        .asyncMap { value in tracer.withSpan("below") { _ in value } }
        .record()
    }
    _ = try await received.next()
    try await received.finished()

    let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.operationName, $0) })
    #expect(spans["chain"]?.parentSpanID == spans["request"]?.spanID)
    #expect(spans["above"]?.parentSpanID == spans["chain"]?.spanID)
    #expect(spans["below"]?.parentSpanID == spans["request"]?.spanID)
    #expect(Set(spans.values.map(\.traceID)).count == 1)
  }

  @Test("After a queue, a span is a child of the caller's with `carryingContext`, and has no parent without")
  func context() async throws {
    let tracer = tracer
    let queue = DispatchQueue(label: "spans")
    let (with, without) = tracer.withSpan("request") { _ in
      let hop = Just(1).receive(on: queue)
      return (
        hop.carryingContext().map { value in tracer.withSpan("with") { _ in value } }.record(),
        hop.map { value in tracer.withSpan("without") { _ in value } }.record()
      )
    }
    _ = try await (with.next(), without.next())

    let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.operationName, $0) })
    #expect(spans["with"]?.parentSpanID == spans["request"]?.spanID)
    #expect(spans["without"]?.parentSpanID != spans["request"]?.spanID)
  }
}
