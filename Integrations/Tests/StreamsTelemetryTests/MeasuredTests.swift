import CoreMetrics
import MetricsTestKit
import Streams
import StreamsMetrics
import StreamsTesting
import Testing

@Suite("Measured chains")
struct MeasuredTests {
  private struct Refused: Error {}

  private let factory = TestMetrics()
  private let name = [("streams.name", "answers")]

  @Test("`measured` keeps the laws")
  func laws() {
    let report = checkLaws(exempt: [.h28: "it counts no demand: its upstream does"]) {
      $0.measured(as: "law", factory: NOOPMetricsHandler.instance)
    }

    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.kept.count > 20, "\(report)")
  }

  @Test("Subscriptions and values are counted, and the first value is timed once")
  func counts() throws {
    let chain = [1, 2, 3].publisher.measured(as: "answers", factory: factory)

    _ = (chain.record(), chain.record())

    #expect(try factory.expectCounter("streams.subscriptions", name).totalValue == 2)
    #expect(try factory.expectCounter("streams.values", name).totalValue == 6)
    #expect(try factory.expectTimer("streams.first_value.duration", name).values.count == 2)
  }

  @Test("The duration of a subscription is recorded with its outcome")
  func outcomes() throws {
    _ = Just(1).measured(as: "answers", factory: factory).record()
    _ = Fail<Int, Refused>(error: Refused()).measured(as: "answers", factory: factory).record()
    PassthroughSubject<Int, Never>().measured(as: "answers", factory: factory).record().cancel()

    for outcome in ["finished", "failed", "cancelled"] {
      let timer = try factory.expectTimer(
        "streams.subscription.duration", name + [("streams.outcome", outcome)])
      #expect(timer.values.count == 1, "\(outcome)")
    }
  }
}
