import Streams
import StreamsTesting
import Testing

@Suite("`Marble`")
struct MarbleTests {
  @Test("A marble diagram is parsed into columns")
  func reads() throws {
    let marble = try Marble("a-(b[last]|)")

    #expect(
      marble.columns == [[.value("a")], [], [.value("b"), .value("last"), .finished]])
  }

  @Test(
    "A marble diagram is written as it was parsed, without spaces",
    arguments: ["a-b|", "--#", "(a[bc])--|", "", "[12]7"])
  func writes(_ diagram: String) throws {
    #expect(try Marble(diagram).description == diagram)
    #expect(try Marble(diagram.map { "\($0) " }.joined()).columns.count == Marble(diagram).columns.count)
  }

  @Test(
    "An invalid marble diagram throws an error with problem and position",
    arguments: [
      ("a-?", MarbleError.Problem.unknownSign, 2), ("-(ab", .unclosedGroup, 1), ("a)", .unopenedGroup, 1),
      ("(a(b))", .nestedGroup, 2), ("a()", .emptyGroup, 1), ("(a-b)", .silenceInGroup, 2),
      ("-[ab", .unclosedName, 1), ("[]", .emptyName, 0), ("a|b", .afterTheEnd, 2), ("#|", .afterTheEnd, 1),
      ("|[a]", .afterTheEnd, 1), ("(|a)", .afterTheEnd, 2),
    ])
  func malformed(_ diagram: String, _ problem: MarbleError.Problem, _ position: Int) {
    let error = #expect(throws: MarbleError.self) { try Marble(diagram) }

    #expect(error?.problem == problem)
    #expect(error?.position == position)
    #expect(error?.description == "character \(position): \(problem.rawValue)")
  }

  @Test("A marble diagram accepts silence after the end")
  func silence() throws {
    #expect(try Marble("a|--").columns.count == 4)
  }

  @Test("`Marble.play` runs an operator in virtual time and returns its output as a diagram")
  func plays() throws {
    let delayed = try Marble("ab-(c|)").play { $0.delay(for: 2, scheduler: $1) }
    let grouped = try Marble("ab--c|").play(naming: { $0.joined() }) { $0.collect(.byTime($1, 3)) }
    let failed = try Marble("a-#").play { upstream, _ in upstream.map { $0 + "!" } }

    #expect(delayed == "--ab-(c|)")
    #expect(grouped == "---[ab]-(c|)")
    #expect(failed == "[a!]-#")
  }

  @Test("`Marble.play` stops at the given time and respects demand")
  func limits() throws {
    let short = try Marble("ab-c").play(for: 2) { upstream, _ in upstream }
    let modest = try Marble("ab-c").play(demand: .max(2)) { upstream, _ in upstream }

    #expect(short == "ab")
    #expect(modest == "ab")
  }
}
