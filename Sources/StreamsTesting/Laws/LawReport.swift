/// The result of ``checkLaws(_:exempt:throwing:of:)``: how an operator keeps the laws.
public struct LawReport: Sendable {
  /// A law that the operator breaks.
  public struct Violation: Sendable {
    /// The law.
    public let law: Law

    /// The observed violations.
    public let findings: [String]

    /// The expectation: the law as a sentence.
    public var expected: String { law.sentence }
  }

  /// A law from which the operator is exempt.
  public struct Exemption: Sendable {
    /// The law.
    public let law: Law
    /// The given reason.
    public let reason: String

    /// True if you gave the reason, and the operator keeps the law after all or cannot break it.
    public let isStale: Bool
  }

  /// The laws that the operator keeps.
  public let kept: [Law]

  /// The laws that it breaks.
  public let violations: [Violation]

  /// The laws that it is allowed to break.
  public let exempt: [Exemption]

  /// The exemptions that it does not need.
  public var stale: [Exemption] { exempt.filter(\.isStale) }
}

extension LawReport: CustomStringConvertible {
  /// A line in figures, then the broken laws C01 to C23, the other broken laws, and the exemptions.
  public var description: String {
    let figures = "keeps \(kept.count) laws, breaks \(violations.count), is exempt from \(exempt.count)"
    let (general, others) = (violations.filter(\.law.isGeneral), violations.filter { !$0.law.isGeneral })
    let groups = [("Laws C01 to C23:", general), ("Other laws:", others)].flatMap { title, group in
      group.isEmpty ? [] : [title] + group.map(\.description)
    }
    return ([figures] + groups + exempt.map(\.description)).joined(separator: "\n")
  }
}

extension LawReport.Violation: CustomStringConvertible {
  public var description: String {
    var seen: Set<String> = []
    let once = findings.filter { seen.insert($0).inserted }
    return "\(law.number) broken. Expected: \(expected)\n" + once.map { "  \($0)" }.joined(separator: "\n")
  }
}

extension LawReport.Exemption: CustomStringConvertible {
  public var description: String {
    "\(law.number) exempt\(isStale ? ", but it need not be" : ""): \(reason)"
  }
}
