/// What a check found, and the line that found it.
package struct Finding: Sendable, CustomStringConvertible {
  package let description: String
  package let file: String
  package let path: String
  package let line: Int
}

/// Collects the findings of a check.
struct Findings {
  private(set) var list: [Finding] = []

  /// - Parameters:
  ///   - otherwise: What happened instead.
  ///   - due: What had to happen, unless the law says it.
  mutating func expect(
    _ isSo: Bool, _ otherwise: @autoclosure () -> String, due: @autoclosure () -> Any? = nil,
    file: String = #fileID, path: String = #filePath, line: Int = #line
  ) {
    if isSo { return }
    let expected = due().map { "; due: \($0)" } ?? ""
    list.append(Finding(description: otherwise() + expected, file: file, path: path, line: line))
  }
}

extension Law {
  /// True if an operator of this kind can break the law at all.
  package func concerns(_ profile: Profile) -> Bool {
    switch self {
    case .c05: profile.sends.count >= 2
    case .c07: profile.kind != .source || profile.sends.isEmpty
    case .c09, .c10, .c19, .c20, .c22, .h24, .h29, .h30: profile.kind == .operator
    case .r1: profile.kind == .operator && !profile.answersAtEnd && !profile.isBounded && !profile.thinsOut
    case .c13, .c15: !profile.sends.isEmpty
    case .c17, .c08, .c11, .c21: profile.kind != .source || !profile.sends.isEmpty
    case .c18, .h25, .h26, .h27, .h28: profile.kind != .source
    case .p1: profile.throwsAt != nil
    case .p2: profile.stopsAt != nil
    case .p3: !profile.zeroDemandTraps
    case .t1, .t2: profile.isScheduled
    default: standing == .checked
    }
  }

  /// The violations of this law by `candidate`. Empty if it keeps the law.
  package func violations(by candidate: Candidate) -> [Finding] {
    var findings = Findings()
    let check: (Candidate, inout Findings) -> Void =
      switch self {
      case .c01: Subscribing.once
      case .c02: Subscribing.atOnce
      case .c23: Subscribing.independently
      case .p4: Subscribing.underOneName
      case .h24: Subscribing.againstIntruders
      case .c03: Demanding.nothing
      case .c04: Demanding.noMoreThanAsked
      case .c05: Demanding.byAnswer
      case .c11: Demanding.afterCancellation
      case .c12: Demanding.afterCompletion
      case .c15: Demanding.insideValues
      case .c22: Demanding.fromUpstream
      case .h28: Demanding.againstSurplus
      case .p3: Demanding.zero
      case .r1: Demanding.withoutDeepeningTheStack
      case .c06: Ending.exactlyOnce
      case .c07: Ending.withoutDemand
      case .p1: Ending.byThrowing
      case .p2: Ending.early
      case .h25: Ending.beforeMoreValues
      case .h26: Ending.beforeMoreEndings
      case .h29: Ending.notBegunByValue
      case .h30: Ending.notBegunByCompletion
      case .t2: Ending.afterScheduledValues
      case .c08: Cancelling.silences
      case .c09: Cancelling.twice
      case .c10: Cancelling.afterCompletion
      case .c13: Cancelling.insideValues
      case .c14: Cancelling.insideSubscription
      case .h27: Cancelling.againstTheDeaf
      case .t1: Cancelling.scheduledWork
      case .c16: Releasing.downstreamAfterCompletion
      case .c17: Releasing.downstreamAfterCancellation
      case .c18: Releasing.downstreamHeldByUpstream
      case .c19: Releasing.upstreamAfterCancellation
      case .c20: Releasing.upstreamAfterCompletion
      case .c21: Releasing.everythingDropped
      case .r2, .r3, .x01, .x02, .x03, .x04, .x05, .x06, .x07, .x08, .x09, .x10, .x11, .x12, .t3, .t4, .t5:
        { _, findings in findings.expect(false, "\(self) is not checked") }
      }
    Lifetimes.endingWhatIsLeft { ManualTaskExecutor.whileRunning { check(candidate, &findings) } }
    return findings.list
  }
}
