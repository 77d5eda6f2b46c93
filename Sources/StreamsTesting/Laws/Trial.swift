/// One law, checked for one operator of a registry.
package struct Trial: Sendable {
  package let law: Law
  package let operatorCase: OperatorCase

  /// The reason why the operator is exempt from the law.
  package var deviation: String? { operatorCase.profile.deviations[law] }

  /// The observed violations.
  package func violations() -> [Finding] { law.violations(by: operatorCase.candidate) }

  /// Every law that concerns an operator, for every operator, except those that trap.
  package static func all(of cases: [OperatorCase]) -> [Trial] {
    cases.flatMap { operatorCase in
      Law.checked
        .filter { $0.concerns(operatorCase.profile) && !operatorCase.profile.traps.contains($0) }
        .map { Trial(law: $0, operatorCase: operatorCase) }
    }
  }
}

extension Trial: CustomStringConvertible {
  package var description: String { "\(law.number) × \(operatorCase.name)" }
}
