import Streams
import StreamsTesting

extension OperatorCase {
  /// Operators upon operators: what each keeps alone, all keep together, but for one law.
  static let chains: [OperatorCase] = [
    OperatorCase("tryMap, then prefix(while:)", .stops(at: 50), .throwsAt(60), .forwardsSurplus, holdTogether)
    { upstream in
      upstream.tryMap { value in
        try thrown(if: value == 60)
        return value
      }.prefix { $0 < 50 }
    },
    OperatorCase("scan, then first", .answers(3), .takes(2), .stops(at: 7, sending: 7)) {
      $0.scan(0, &+).first { $0 > 1 }
    },
    OperatorCase("dropFirst, then collect(two)", .sends([23]), .takes(3), .forwardsSurplus, holdTogether) {
      $0.dropFirst().collect(2).map { $0.reduce(0) { $0 &* 10 &+ $1 } }
    },
    OperatorCase("buffer, then prefix", .sendsOnly(1, 2), .zeroDemandIsHarmless, holdTogether) {
      $0.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest).prefix(2)
    },
    OperatorCase(
      "catch, then append", .sends([1, 2, 3, 9]), .coda(1), .zeroDemandIsHarmless, holdTogether,
      .deviates(.c07, because: "it puts another publisher in the failure's place")
    ) {
      $0.catch { _ in Just(8).setFailureType(to: TestFailure.self) }.append(9)
    },
    OperatorCase(
      "merge, then zip with a sequence", .closes(.finish(upstream: 1)), .takesOneOfEach, holdTogether,
      pair: {
        $0.merge(with: $1).zip((0..<1000).publisher.setFailureType(to: TestFailure.self)) { value, _ in value
        }
      }),
    OperatorCase(
      "flatMap, then buffer, then share", .zeroDemandIsHarmless, .isShared, .isLossy, holdTogether,
      .deviates(.c23, because: "its subscribers have one upstream in common")
    ) {
      $0.flatMap { Just($0) }.buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest).share()
    },
    OperatorCase(
      "delay, then receive(on:), then replaceEmpty", .coda(1), holdTogether,
      scheduled: { $0.delay(for: .milliseconds(1), scheduler: $1).receive(on: $1).replaceEmpty(with: 9) }),
    OperatorCase(
      "retry, then debounce", .thinsOut, .isLossy, .zeroDemandIsHarmless, holdTogether,
      .deviates(.c07, because: "it subscribes again in place of the failure"),
      scheduled: { upstream, scheduler in
        upstream.retry(3)
          .debounce(for: .milliseconds(1), scheduler: scheduler)
      }),
    OperatorCase(
      "timeout, then removeDuplicates, then count", .answers(3), .answersNothing, .needsDistinctValues,
      holdTogether,
      scheduled: { $0.timeout(.seconds(1_000_000), scheduler: $1).removeDuplicates().count() }),
  ]

  static let holdTogether = OperatorTrait.deviates(
    .c21, because: "several stages hold one another until the stream ends or is cancelled, as in Combine")
}
