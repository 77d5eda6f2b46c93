import Foundation
import Interleavings
import InterleavingsStreams
import Streams
import Testing

/// Publishers of one's own, and those of Streams, under the laws of the contract.
@Suite struct SubscriptionTests {
  @Test func `A cancellation beside a value is found where nothing orders them`() throws {
    let found = #expect(throws: Counterexample.self) {
      try exploreSubscription(.patient) {
        Ticker(isWrong: true)
      } run: {
        $0.thread { $0.tick(1) }
        $0.cancels()
      }
    }
    #expect(found?.summary.contains("Data race") == true)
    #expect(
      found?.description.contains("Ticker.swift:\(line(of: "func cancel() { subscriber = nil }"))") == true)
  }

  @Test func `A request beside a value is found where nothing orders them`() throws {
    let found = #expect(throws: Counterexample.self) {
      try exploreSubscription(.patient, demand: .max(1)) {
        Ticker(isWrong: true)
      } run: {
        $0.thread { $0.tick(1) }
        $0.requests(.max(1))
      }
    }
    #expect(found?.summary.contains("Data race") == true)
    #expect(
      found?.description.contains(
        "Ticker.swift:\(line(of: "func request(_ more: Subscribers.Demand) { demand += more }"))")
        == true, "\(String(describing: found))")
  }

  @Test func `A publisher whose cancellation does nothing is found`() throws {
    let found = #expect(throws: Counterexample.self) {
      try exploreSubscription(.patient) {
        Stubborn()
      } run: {
        $0.thread { $0.tick(1) }
        $0.cancels()
      }
    }
    #expect(found?.summary.contains("Law C08") == true)
  }

  @Test func `A publisher with a lock and a queue keeps the contract`() throws {
    let exploration = try exploreSubscription(.patient, demand: .max(1)) {
      Ticker(isWrong: false)
    } run: {
      $0.thread { $0.tick(1) }
      $0.thread { $0.tick(2) }
      $0.cancels()
    }
    #expect(exploration.isExhausted)
  }

  @Test func `A subject that two threads send to delivers one value after the other`() throws {
    let exploration = try exploreSubscription(.patient) {
      PassthroughSubject<Int, Never>()
    } to: {
      $0.map { $0 + 1 }
    } run: {
      $0.thread { $0.send(1) }
      $0.thread { $0.send(2) }
      $0.cancels()
    }
    #expect(exploration.isExhausted)
    #expect(exploration.places["Streams", default: 0] > 10, "The product was not seen.")
  }

  @Test func `A subject keeps the contract while it is cancelled`() throws {
    try exploreSubscription {
      PassthroughSubject<Int, Never>()
    } run: {
      $0.thread { $0.send(1) }
      $0.cancels()
    }
  }

  @Test func `What two subjects send is merged without loss`() throws {
    let exploration = try exploreSubscription(.patient) {
      (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    } to: { a, b in
      a.merge(with: b)
    } run: {
      $0.thread { a, _ in a.send(1) }
      $0.thread { _, b in b.send(2) }
    } after: { _, received in
      #expect(received.values.sorted() == [1, 2])
    }
    #expect(exploration.isExhausted)
  }

  /// The number of a line of Ticker.swift.
  private func line(of text: String) -> Int {
    let path = #filePath.replacing("SubscriptionTests.swift", with: "Ticker.swift")
    guard let source = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.firstIndex { $0.contains(text) } ?? -1) + 1
  }
}

extension Bounds {
  /// However busy the machine is.
  fileprivate static let patient = Bounds(time: .seconds(300))
}
