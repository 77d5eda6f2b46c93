import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImageRetryPolicy`", .timeLimit(.minutes(1)))
struct RetryPolicyTests {
  /// The delay as its documentation has it.
  private static func delay(
    _ retry: Int, initial: Double, multiplier: Double, maximum: Double, jitter: Double, chance: Double
  ) -> Double {
    var whole = max(initial, 0)
    for _ in 0..<max(retry, 0) { whole *= max(multiplier, 1) }
    whole = min(whole, max(maximum, 0))
    let share = jitter < 0 ? 0 : jitter > 1 ? 1 : jitter
    let luck = chance < 0 ? 0 : chance > 1 ? 1 : chance
    return whole - whole * share * (1 - luck)
  }

  @Test("A delay grows by the multiplier, is limited, and is shortened by jitter, whatever the settings")
  func delays() {
    for retry in [-1, 0, 1, 2, 5] {
      for (initial, multiplier, maximum) in [
        (1, 2, 16), (0.25, 2, 16), (0.25, 4, 0.5), (3, 0.5, 16), (-1, 2, 16), (1, 2, -1), (0, 2, 16),
        (2, 1, 16),
        (0.5, 3, 1_000),
      ] as [(Double, Double, Double)] {
        for jitter in [-1, 0, 0.5, 1, 2] {
          for chance in [-1, 0, 0.25, 0.5, 1, 2] {
            var policy = ImageRetryPolicy(
              initialDelay: .seconds(initial), multiplier: multiplier, maximumDelay: .seconds(maximum),
              jitter: jitter)
            policy.chance = { chance }

            let expected = Self.delay(
              retry, initial: initial, multiplier: multiplier, maximum: maximum, jitter: jitter,
              chance: chance)
            #expect(abs(policy.delay(before: retry) / .seconds(1) - expected) < 1e-9, "\(policy)")
          }
        }
      }
    }
  }

  @Test("A jitter or a chance that is not a number counts as 0")
  func notNumbers() {
    var policy = ImageRetryPolicy(initialDelay: .seconds(4), jitter: .nan)
    #expect(policy.delay(before: 0) == .seconds(4))

    (policy.jitter, policy.chance) = (0.5, { .nan })
    #expect(policy.delay(before: 0) == .seconds(2))
  }

  @Test("By default, there are three retries, after one second at most, and then twice as long each")
  func defaults() {
    let policy = ImageRetryPolicy()
    let chances = (0..<1_000).map { _ in policy.chance() }

    #expect(policy.maximumRetries == 3 && policy.initialDelay == .seconds(1) && policy.multiplier == 2)
    #expect(policy.maximumDelay == .seconds(16) && policy.jitter == 1)
    #expect(chances.allSatisfy((0...1).contains) && chances.min()! < 0.5 && chances.max()! > 0.5)
    #expect(
      policy.isWorthRetrying(.dataLoadingFailed(.timedOut(.idle))) && !policy.isWorthRetrying(.dataIsEmpty))
  }

  @Test(
    "The server cannot request a longer delay than the maximum, and only in digits",
    arguments: [
      ("100", 16), ("3", 3), ("0", 0), ("soon", 1), ("-3", 1), (nil, 1),
    ] as [(String?, Double)])
  func serverDelay(_ text: String?, _ seconds: Double) throws {
    let scheduler = VirtualScheduler.virtual
    let url = try #require(URL(string: "https://example.org"))
    let headers = text.map { HeaderFields([.init(name: "Retry-After", value: $0)]) } ?? HeaderFields()
    let error = ImagePipeline.Error.dataLoadingFailed(
      .status(503, head: LoadedHead(status: 503, headers: headers, url: url)))
    let attempts = Shared(0)
    let publisher = Deferred { () -> Fail<Int, ImagePipeline.Error> in
      attempts.change { $0 += 1 }
      return Fail(error: error)
    }
    let recorder = publisher.retryImage(ImageRetryPolicy(maximumRetries: 1, jitter: 0), on: scheduler)
      .record()

    if seconds > 0 {
      scheduler.advance(by: .seconds(seconds - 0.1))
      #expect(attempts.value == 1)
      scheduler.advance(by: .seconds(0.1))
    } else {
      scheduler.advance()
    }

    #expect(attempts.value == 2 && recorder.completions.count == 1)
  }

  @Test("A retry count of zero retries nothing, and a failure that is not worth it is sent at once")
  func none() {
    let scheduler = VirtualScheduler.virtual
    let lost = ImagePipeline.Error.dataLoadingFailed(.timedOut(.idle))
    var never = ImageRetryPolicy()
    never.isWorthRetrying = { _ in false }
    var always = ImageRetryPolicy(maximumRetries: 1, jitter: 0)
    always.isWorthRetrying = { _ in true }

    let failures = Fail<Int, ImagePipeline.Error>(error: lost)
    let recorders = [
      failures.retryImage(ImageRetryPolicy(maximumRetries: 0), on: scheduler).record(),
      failures.retryImage(never, on: scheduler).record(),
      Fail<Int, ImagePipeline.Error>(error: .dataIsEmpty).retryImage(always, on: scheduler).record(),
    ]

    #expect(recorders.map(\.completions.count) == [1, 1, 0])
    scheduler.advance(by: 1)
    #expect(recorders[2].completions.count == 1)
  }
}
