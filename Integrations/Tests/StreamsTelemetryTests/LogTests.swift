import InMemoryLogging
import Logging
import Streams
import StreamsLogging
import StreamsTesting
import Testing

@Suite("Logged chains")
struct LogTests {
  private struct Refused: Error {}

  private let handler = InMemoryLogHandler()
  private let logger: Logger

  init() {
    let handler = handler
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = .debug
    self.logger = logger
  }

  @Test("`log` keeps the laws")
  func laws() {
    var logger = logger
    logger.logLevel = .critical
    let report = checkLaws(exempt: [.h28: "it counts no demand: its upstream does"]) { $0.log(logger) }

    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.kept.count > 20, "\(report)")
  }

  @Test("Each signal is a message with the name of the chain and the number of the subscription")
  func signals() {
    let chain = [7].publisher.log(logger, name: "numbers", describing: { "\($0)" })
    _ = (chain.record(), chain.record())

    #expect(
      handler.entries.map { "\($0.level) \($0.message) \($0.metadata["streams.subscription"]!)" } == [
        "debug subscribed 1", "debug requested 1", "debug value 1", "debug finished 1",
        "debug subscribed 2", "debug requested 2", "debug value 2", "debug finished 2",
      ])
    #expect(handler.entries.allSatisfy { $0.metadata["streams.name"] == "numbers" })
    #expect(handler.entries[1].metadata["streams.demand"] == "unlimited")
    #expect(handler.entries[2].metadata["streams.value"] == "7")
  }

  @Test("A failure has a level of its own, and a value no text unless it is asked for")
  func levels() {
    let chain = Just("secret").setFailureType(to: Refused.self).append(Fail(error: Refused()))
    _ = chain.log(logger, level: .trace, failureLevel: .warning).record()

    #expect(handler.entries.map { "\($0.level) \($0.message)" } == ["warning failed"])
    _ = chain.log(logger, level: .info).record()
    #expect(!handler.entries.contains { "\($0.metadata)".contains("secret") })
  }

  @Test("The text of a value is not made if the level is not logged")
  func laziness() {
    let journal = Journal()

    _ = [1].publisher.log(logger, level: .trace) { value in
      journal.note("described")
      return "\(value)"
    }
    .record()

    #expect(journal.lines == [])
  }

  @Test("A cancellation is logged")
  func cancellation() {
    PassthroughSubject<Int, Never>().log(logger).record().cancel()

    #expect(handler.entries.map { "\($0.message)" } == ["subscribed", "requested", "cancelled"])
  }
}
