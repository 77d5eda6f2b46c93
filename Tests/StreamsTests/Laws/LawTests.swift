import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("Laws for every operator", .atMostTenIssues)
struct LawTests {
  static let trials = Trial.all(of: OperatorCase.all)

  @Test("An operator keeps every law it is not exempt from", arguments: OperatorCase.all.map(\.name))
  func keeps(_ name: String) throws {
    let operatorCase = try #require(OperatorCase.named(name))

    for trial in Trial.all(of: [operatorCase]) where trial.deviation == nil { trial.report() }
  }

  @Test("An operator breaks each law it is exempt from", arguments: trials.filter { $0.deviation != nil })
  func deviates(_ trial: Trial) {
    #expect(!trial.violations().isEmpty, "\(trial): a stale exemption: \(trial.deviation ?? "")")
  }

  // The tests of a process that ends need a name, and capture it only since Swift 6.3.
  #if compiler(>=6.3)
    @Test(
      "An operator traps on zero demand where Combine's does",
      arguments: OperatorCase.names { $0.zeroDemandTraps })
    func trapsOnZeroDemand(_ name: String) async {
      await #expect(processExitsWith: .failure) { [name] in
        OperatorCase.named(name)?.candidate.flow(.none).recorder.request(.none)
      }
    }

    @Test(
      "An operator traps on values beyond its demand if its profile declares so",
      arguments: OperatorCase.names { $0.traps.contains(.h28) })
    func trapsOnSurplus(_ name: String) async {
      await #expect(processExitsWith: .failure) { [name] in
        if let operatorCase = OperatorCase.named(name) { _ = Law.h28.violations(by: operatorCase.candidate) }
      }
    }
  #endif

  @Test("`Docs/contract.md` lists every law in the same words")
  func contract() throws {
    let root = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let contract = try String(contentsOf: root.appending(path: "Docs/contract.md"), encoding: .utf8)

    let missing = Law.allCases.filter { !contract.contains("**\($0.number)** \($0.sentence)") }

    #expect(missing.isEmpty, "laws that Docs/contract.md does not list, or words otherwise")
  }

  @Test("Each operator case has a unique name")
  func names() {
    let names = OperatorCase.all.map(\.name)

    #expect(Set(names).count == names.count)
  }

  @Test("Each checked law applies to at least one operator without an exemption")
  func table() {
    let trials = Dictionary(grouping: Self.trials, by: \.law)
    let lines = Law.checked.map { law in
      let exempt = trials[law, default: []].count { $0.deviation != nil }
      return "\(law.number)  \(trials[law, default: []].count - exempt) keep it, \(exempt) are exempt"
    }
    print("Laws and \(OperatorCase.all.count) operators:\n" + lines.joined(separator: "\n"))

    #expect(Law.checked.allSatisfy { law in trials[law]?.contains { $0.deviation == nil } == true })
  }

  @Test("Each exemption from a law has one of at most 15 reasons")
  func deviations() {
    let lines = Law.checked.flatMap { law in
      let exempt = Dictionary(grouping: OperatorCase.all.filter { $0.profile.deviations[law] != nil }) {
        $0.profile.deviations[law] ?? ""
      }
      return exempt.sorted { $0.key < $1.key }
        .map { "\(law.number)  \($0.key): \($0.value.map(\.name).joined(separator: ", "))" }
    }
    print("Exempt from a law:\n" + lines.joined(separator: "\n"))

    #expect(lines.allSatisfy { !$0.contains("  : ") }, "an exemption without a reason")
    let reasons = Set(OperatorCase.all.flatMap(\.profile.deviations.values))
    #expect(reasons.count <= 15, "too many kinds of exemption: \(reasons)")
  }
}

extension OperatorCase {
  fileprivate static func names(_ isIncluded: (Profile) -> Bool) -> [String] {
    all.filter { isIncluded($0.profile) }.map(\.name)
  }
}

extension Trial {
  /// Records an issue for each violation, at the line of the check.
  func report() {
    for finding in violations() {
      Issue.record(
        "\(self): \(finding). \(law.sentence)",
        sourceLocation: SourceLocation(
          fileID: finding.file, filePath: finding.path, line: finding.line, column: 1))
    }
  }
}
