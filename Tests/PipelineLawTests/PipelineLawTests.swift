import Foundation
import TestSupport
import Testing

/// Whatever each of the steps does, every request ends.
@Suite("The law of a pipeline", .timeLimit(.minutes(10)))
struct PipelineLawTests {
  @Test(
    "Every request ends and gives everything back, whatever each step does",
    .enabled(if: !isSanitized, "a sanitizer does not follow jobs that a test runs"))
  func everyRequestEnds() async throws {
    async let first = report(part: 0)
    async let second = report(part: 1)
    let reports: [String] = try await [first, second]
    let lines: [Substring] = reports.flatMap { $0.split(separator: "\n") }

    let counts = lines.compactMap { $0.wholeMatch(of: /.+: (\d+) schedules/).flatMap { Int($0.1) } }
    print("\(reports.joined())The law of a pipeline: \(counts.reduce(0, +)) schedules")
    // A line for each model.
    #expect(counts.count == 32 && lines.count == counts.count)
  }

  /// What `PipelineLaw` prints. No thread waits for it.
  private func report(part: Int) async throws -> String {
    let output = FileManager.default.temporaryDirectory.appending(path: "law-\(UUID())")
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    // Built into the same folder as the tests.
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    process.executableURL = tests.deletingLastPathComponent().appending(path: "PipelineLaw")
    process.arguments = ["\(part)"]
    process.standardOutput = try FileHandle(forWritingTo: output)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return try String(contentsOf: output, encoding: .utf8)
  }
}
