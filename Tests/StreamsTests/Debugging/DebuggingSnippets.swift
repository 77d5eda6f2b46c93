import Foundation
import Streams
import StreamsExtras

/// The code of the documentation of tools. Tests run it.
enum DebuggingSnippets {
  static func naming(
    _ terms: PassthroughSubject<String, Never>, _ search: @escaping (String) -> Just<String>
  ) -> some Publisher<String, Never> {
    let results = terms.flatMap { search($0) }.named("search")
    return results
  }

  static func handlingDrops(
    _ ticks: PassthroughSubject<Int, Never>, _ log: Log, _ store: @escaping (Int) -> Void
  ) -> AnyCancellable {
    let cancellable = ticks.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
      .handleDrops { log.warning("\($0)") }
      .sink { store($0) }
    return cancellable
  }

  static func counting(_ subject: PassthroughSubject<Int, Never>) -> String {
    let counter = SubscriptionCounter()
    counter.enable()
    let sink = subject.sink { _ in }
    print(counter)  // 1 open of 1 subscriptions, 0 values dropped: PassthroughSubject → Sink
    counter.disable()
    withExtendedLifetime(sink) {}
    return "\(counter)"
  }

  static func tracing() -> PerfettoTrace {
    let trace = PerfettoTrace { FileHandle.standardError.write(Data($0.utf8)) }
    trace.enable()
    let sink = (1...3).publisher.filter { $0 > 1 }.sink { _ in }
    trace.finish()
    withExtendedLifetime(sink) {}
    return trace
  }

  static func slices(_ trace: PerfettoTrace, _ load: () async throws -> String) async throws -> String {
    let start = ContinuousClock.now
    let page = try await load()
    trace.addSlice("load", track: "pages", start: start, duration: start.duration(to: .now))
    return page
  }

  final class Log {
    private(set) var lines: [String] = []

    func warning(_ line: String) { lines.append(line) }
  }
}
