import Interleavings
import Streams

/// The laws that show at the end only.
extension Stand {
  func judge() {
    if explored.traits.contains(.shares), sources[0].lines.count(where: \.isLive) > 1 {
      fail("X09: two upstreams stay connected")
    }
    // What came is here already, when all is quiet: nothing waits for somebody else to come by.
    settle()
    for check in atEnd { check() }
    for probe in probes where !probe.isCancelled { checkNumbers(probe) }
    if scenario.opensLate { checkAsked() }
    playToTheEnd()
    for probe in probes where !probe.isCancelled {
      if probe.subscription != nil || !scenario.subscribesLate { checkEnding(probe) }
      checkNumbers(probe)
    }
    if probes.count == 1, !probe.isCancelled, let words = explored.check?(self) { fail(words) }
    checkRelease()
    takeDown()
    if Token.live != 0 { fail("X11: \(Token.live) objects are left over") }
  }

  private func fail(_ words: @autoclosure () -> String) { Explorer.shared.fail(words()) }

  private func checkEnding(_ probe: Probe) {
    if explored.traits.contains(.neverEnds) { return }
    if probe.completions != 1 { fail("X06: \(probe.completions) completions") }
  }

  /// Law X04: what was asked for comes, if there is enough.
  func checkDemand() {
    guard explored.traits.contains(.countsDemand), let most = probe.asked.max, !hasEnded else { return }
    for probe in probes where !probe.isCancelled && probe.completions == 0 && probe.numbers.count != most {
      fail("X04: \(probe.numbers.count) values of \(most) that were asked for")
    }
  }

  /// Law X04, upstream: each is asked for what downstream asked for, no more and no less, whenever it came.
  private func checkAsked() {
    if probe.isCancelled || hasEnded { return }
    for line in sources.flatMap(\.lines) where line.asked != probe.asked {
      fail("X04: upstream is asked for \(line.asked), and downstream asked for \(probe.asked)")
    }
  }

  /// Law X10.
  func checkLatest() {
    guard let latest, !scenario.subscribesLate || !hasEnded else { return }
    for probe in probes where !probe.isCancelled && probe.subscription != nil && probe.asked > .none {
      if probe.asked.max != nil || hasEnded { continue }
      if probe.numbers.last != latest() {
        fail("X10: saw \(probe.numbers.last ?? 0) last, \(latest()) is")
      }
    }
  }

  /// Law X05.
  private func checkNumbers(_ probe: Probe) {
    if explored.values == .others { return }
    let numbers = probe.numbers
    if explored.values != .allInAnyOrder {
      var lasts: [Int: Int] = [:]
      for number in numbers {
        if let last = lasts.updateValue(number, forKey: number / 100), last >= number {
          fail("X05: \(number) after \(last), in \(numbers)")
        }
      }
    }
    if explored.values == .some || scenario.demand != .unlimited || hasFailed || scenario.subscribesLate
      || probe.isLate
    {
      return
    }
    if explored.traits.contains(.isSource) { return }
    let contributors = explored.traits.contains(.hasOneContributor) ? sources.prefix(1) : sources[...]
    let expected = sources.isEmpty ? (hasEnded ? numbers : sent) : contributors.flatMap(\.accepted)
    if numbers.sorted() != expected.sorted() { fail("X05: \(numbers) came of \(expected)") }
  }

  /// Laws C16 to C18: whose stream is over is held by nobody, while all others are still there.
  private func checkRelease() {
    let subscriptions = probes.map { $0.takeSubscription() }
    let before = Token.live
    let over = probes.count { $0.completions > 0 || $0.isCancelled }
    atEnd = []
    let others = probes.filter { $0.completions == 0 && !$0.isCancelled }
    forgetProbes()
    if before - Token.live < over { fail("X11: a subscriber is held after its stream is over") }
    withExtendedLifetime((subscriptions, others)) {}
  }
}
