import Dispatch
import Logging
import Streams
import StreamsContext
import StreamsExtras
import StreamsFoundation
import StreamsLogging
import StreamsMetrics
import StreamsTracing

// The examples of the documentation comments: a house test looks for them here. They are compiled, and not run.

func carrying(_ uploads: AnyPublisher<String, any Error>, on scheduler: DispatchQueue) {
  let saved = uploads.debounce(for: .seconds(1), scheduler: scheduler)
    .carryingContext()
    .asyncMap { try await save($0) }
  _ = saved
}

func logging(_ uploads: AnyPublisher<String, Never>, _ logger: Logger) {
  let sizes = uploads.log(logger, level: .trace, name: "uploads").map(\.count)
  _ = sizes
}

func measuring(_ questions: AnyPublisher<String, Never>) {
  let answers = questions.asyncMap { await answer($0) }.measured(as: "answers")
  _ = answers
}

func tracing(_ rows: AnyPublisher<String, any Error>) {
  let report = rows.carryingContext().asyncMap { try await enrich($0) }.traced("report")
  _ = report
}

private func save(_ text: String) async throws -> Int { text.count }
private func answer(_ text: String) async -> String { text }
private func enrich(_ text: String) async throws -> String { text }
