import Testing

/// Values enter a core through `performValue`, which is bounded, and other signals through `perform`.
@Suite("Entrances of cores")
struct EntranceTests {
  @Test("No value enters the core of an operator as a signal, which would pass the bound of its mailbox")
  func bounded() throws {
    let signal = try Regex(#"\.perform\s*\{[^{}]*\b(emit|offer)\("#)

    let found = Repository.sources.filter { $0.lines.joined(separator: "\n").contains(signal) }

    #expect(found.map(\.path) == [])
  }
}
