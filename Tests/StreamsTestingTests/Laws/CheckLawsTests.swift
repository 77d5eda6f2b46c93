import Streams
import StreamsTesting
import Testing

@Suite("`checkLaws`")
struct CheckLawsTests {
  @Test("`checkLaws` finds no violations in this library's operators by default")
  func lawful() {
    let reports = [
      checkLaws { $0.scan(0, +) },
      checkLaws { $0.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest) },
      checkLaws { $0.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher } },
      checkLaws { $0.prefix(2) },
      checkLaws { $0.collect(2) },
      checkLaws { $0.max() },
      checkLaws { $0.count() },
      checkLaws { $0.append(8, 9).filter { $0 > 1 } },
      checkLaws { $0.replaceError(with: 9) },
      checkLaws { $0.catch { _ in Empty<Int, Never>() } },
      checkLaws { $0.replaceEmpty(with: 9) },
    ]

    #expect(reports.map { $0.violations.map(\.law).filter { $0 != .h28 } } == reports.map { _ in [] })
  }

  @Test("`checkLaws` exempts a stateless operator from laws that upstream guarantees")
  func stateless() {
    let report = checkLaws { $0.map { $0 + 1 }.filter { $0.isMultiple(of: 2) } }

    #expect(report.violations.isEmpty)
    #expect(report.stale.isEmpty)
    #expect(report.exempt.contains { $0.law == .c09 && $0.reason.contains("upstream's guarantees") })
    #expect(report.kept.contains(.c01))
  }

  @Test("A law report names the broken law, the expectation and the finding")
  func broken() throws {
    let report = checkLaws(exempt: [.h28: "its upstream counts"]) { Eager(upstream: $0) }

    let violation = try #require(report.violations.first { $0.law == .c03 })
    #expect(violation.expected == "No value is delivered before the first request.")
    #expect(violation.findings == ["[1, 2, 3] without demand"])
    #expect(
      report.description.contains(
        "Laws C01 to C23:\nC03 broken. Expected: No value is delivered before the first request.\n  [1, 2, 3] without demand"
      ))
  }

  @Test("A law report distinguishes needed exemptions from unneeded ones")
  func exemptions() {
    let report = checkLaws(exempt: [.h28: "its upstream counts", .c01: "it is shy"]) { $0.scan(0, +) }

    #expect(report.exempt.map(\.law) == [.c01, .h28])
    #expect(report.stale.map(\.reason) == ["it is shy"])
    #expect(report.description.contains("C01 exempt, but it need not be: it is shy"))
    #expect(report.description.contains("H28 exempt: its upstream counts"))
  }

  @Test("The first line of a law report counts the kept laws")
  func figures() {
    let report = checkLaws(exempt: [.h28: "its upstream counts"]) { $0.scan(0, +) }

    #expect(report.description.hasPrefix("keeps \(report.kept.count) laws, breaks 0, is exempt from 1"))
    #expect(report.kept.count >= 25)
  }

  @Test("`checkLaws` accepts inputs of any type and comparable outputs")
  func types() {
    let report = checkLaws(exempt: [.h28: "its upstream counts"], inputs: ["a", "b"], throwing: "c") {
      upstream in
      upstream.tryMap { text in
        if text == "c" { throw TestFailure.thrown }
        return text.uppercased()
      }
    }

    #expect(report.violations.isEmpty)
    #expect(report.kept.contains(.p1))
  }

  @Test("`checkLaws` checks early completion for an operator that ends by itself")
  func early() {
    let report = checkLaws(exempt: [.h28: "its upstream counts"]) { $0.prefix { $0 < 3 } }

    #expect(report.violations.isEmpty)
    #expect(report.kept.contains(.p2))
  }

  @Test("`checkLaws` passes a scheduler to operators that use time")
  func timed() {
    let report = checkLaws([.losesUnasked, .thinsOut]) { upstream, scheduler in
      upstream.debounce(for: 1, scheduler: scheduler)
    }

    #expect(report.violations.isEmpty)
    #expect(report.kept.contains(.t1))
    #expect(report.kept.contains(.t2))
  }

  @Test("`checkLaws` provides as many upstreams of any type as an operator takes")
  func assembled() {
    let reports = [
      checkLaws(assembling: { $0.upstream().zip($0.upstream(saying: ["a", "b"])) { "\($0)\($1)" } }),
      checkLaws(assembling: { $0.upstream().combineLatest($0.upstream(), +) }),
      checkLaws(assembling: { $0.upstream().merge(with: $0.upstream(), $0.upstream()) }),
      checkLaws(assembling: { $0.upstream().append($0.upstream()) }),
      checkLaws(assembling: { $0.upstream().prepend($0.upstream()) }),
      checkLaws(assembling: { $0.upstream(failing: Never.self).setFailureType(to: TestFailure.self) }),
      checkLaws(assembling: { $0.upstream().delay(for: 1, scheduler: $0.scheduler) }),
    ]

    #expect(reports.map { $0.violations.map(\.law).filter { $0 != .h28 } } == reports.map { _ in [] })
  }

  @Test("`checkLaws` releases an operator that retains its upstream")
  func leavesNothing() {
    let leaked = Lifetimes.leaks { lifetimes in
      let report = checkLaws(exempt: [.c21: "it subscribes to its upstream again"]) { upstream in
        lifetimes.track(upstream).retry(1)
      }
      #expect(report.violations.isEmpty, "\(report)")
    }

    #expect(leaked.isEmpty)
  }

  @Test("`checkLaws` takes options for shared upstreams, reordered values and zero demand")
  func options() {
    let shared = checkLaws([.losesUnasked, .sharesUpstream]) { $0.share() }
    let reordered = checkLaws(.reorders) { $0.flatMap { Array(repeating: $0, count: min($0, 3)).publisher } }
    let tolerant = checkLaws(.toleratesZeroDemand, exempt: [.h28: "its upstream counts"]) { $0.scan(0, +) }

    #expect(shared.violations.isEmpty)
    #expect(shared.exempt.map(\.law) == [.c23])
    #expect(reordered.violations.isEmpty)
    #expect(tolerant.kept.contains(.p3))
    #expect(tolerant.violations.isEmpty)
  }
}

/// Asks its upstream for everything as soon as it can, whatever it is asked for.
private struct Eager<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<Downstream: Subscriber<Output, Failure>>(subscriber: Downstream) {
    upstream.handleEvents(receiveSubscription: { $0.request(.unlimited) }).subscribe(subscriber)
  }
}
