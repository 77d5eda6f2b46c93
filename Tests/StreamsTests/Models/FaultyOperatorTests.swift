import ScriptedModels
import Testing

@Suite("Faulty operators")
struct FaultyOperatorTests {
  @Test(
    "A random script reveals a faulty operator, and is shrunk to a few steps",
    arguments: Registry.mutants.indices)
  func found(_ index: Int) throws {
    let mutant = Registry.mutants[index]

    let finding = mutant.entry.firstFinding(in: 1000, steps: 24, seed: 0)

    let shortest = try #require(finding, "\(mutant.entry.name)")
    #expect(shortest.steps.count <= mutant.most, "\(shortest)")
    #expect(mutant.entry.fault(in: shortest.steps) != nil)
  }
}
