import Reference
import Testing

@Suite("Reference")
struct ReferenceTests {
  @Test("Each example in the reference prints the documented output", arguments: Example.all.map(\.name))
  func example(name: String) async throws {
    let example = try #require(Example.all.first { $0.name == name })

    #expect(try await example.fault() == nil)
  }

  @Test("The recorded diagrams match the current output of the operators")
  func diagrams() throws {
    #expect(try Diagrams.changedFiles() == [])
  }

  @Test(
    "The 40 most used calls have examples, and operators have diagrams where needed"
  )
  func coverage() throws {
    let coverage = try Coverage()

    #expect(coverage.faults == [])
    #expect(coverage.examples.of == 40)
    #expect(coverage.diagrams.of > 100)
  }
}
