import Foundation
import ScriptedModels
import Testing

@Suite("Models of operators with memory", .leavesNothing, .atMostTenIssues)
struct ModelTests {
  /// How many scripts for each operator, and of how many steps.
  static let count = number("MODEL_SCRIPTS") ?? 75
  static let length = 24

  /// A seed that is new each time, to find more; the other one is always the same, to find it again.
  static let fresh: UInt64 = {
    let seed = number("MODEL_SEED").map(UInt64.init) ?? .random(in: 1...999_999)
    print(
      "models: \(2 * count) scripts for each of \(Registry.all.count) operators, half from MODEL_SEED=\(seed)"
    )
    return seed
  }()

  @Test(
    "An operator with memory agrees with its model on random scripts (law T3)",
    arguments: Registry.all.map(\.name))
  func agrees(_ name: String) throws {
    let entry = try #require(Registry[name])

    for seed in [0, Self.fresh] {
      let finding = entry.firstFinding(in: Self.count, steps: Self.length, seed: seed)

      if let finding { Issue.record("\(finding)") }
    }
  }

  @Test(
    "An operator agrees with its model on scripts that once revealed a fault",
    arguments: PastFindings.all.indices)
  func findings(_ index: Int) throws {
    let (name, steps) = PastFindings.all[index]
    let entry = try #require(Registry[name])

    #expect(entry.fault(in: steps) == nil, "\(entry.story(of: steps).joined(separator: "\n"))")
  }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }
}
