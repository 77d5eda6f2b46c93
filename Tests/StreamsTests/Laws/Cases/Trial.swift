import Testing

/// One law, held against one operator.
struct Trial: Sendable, CustomTestStringConvertible {
  let law: Law
  let operatorCase: OperatorCase

  var testDescription: String { "\(law.number) × \(operatorCase.name)" }

  /// Why the operator is free of the law.
  var deviation: String? { operatorCase.profile.deviations[law] }

  /// What was seen that the law forbids.
  func violations() -> [String] { law.violations(by: operatorCase) }

  /// Every law that concerns an operator, for every operator. Those that trap by right are left out.
  static func all(of cases: [OperatorCase]) -> [Trial] {
    cases.flatMap { operatorCase in
      Law.checked
        .filter { $0.concerns(operatorCase.profile) && !operatorCase.profile.traps.contains($0) }
        .map { Trial(law: $0, operatorCase: operatorCase) }
    }
  }
}

/// Collects what a check finds wrong.
struct Findings {
  private(set) var list: [String] = []

  mutating func expect(_ isSo: Bool, _ otherwise: @autoclosure () -> String) {
    if !isSo { list.append(otherwise()) }
  }
}
