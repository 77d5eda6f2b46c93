import Reference
import Testing

@Suite("the reference")
struct ReferenceTests {
  @Test("prints what its examples say", arguments: Example.all.map(\.name))
  func example(name: String) async throws {
    let example = try #require(Example.all.first { $0.name == name })

    #expect(try await example.fault() == nil)
  }

  @Test("draws what the operators do now: swift run Reference --record draws it anew")
  func diagrams() throws {
    #expect(try Diagrams.changedFiles() == [])
  }

  @Test(
    "has an example for each of the 40 calls that are used most, and a diagram for each operator that needs one"
  )
  func coverage() throws {
    let coverage = try Coverage()

    #expect(coverage.faults == [])
    #expect(coverage.examples.of == 40)
    #expect(coverage.diagrams.of > 100)
  }
}
