import Streams
import StreamsTesting
import Testing

@Suite("Mutants of the laws", .leavesNothing)
struct MutantTests {
  @Test("A stage without a fault keeps every law", arguments: Trial.all(of: [mutant(nil), hop(nil)]))
  func isKept(_ trial: Trial) {
    guard trial.operatorCase.name != "hop" || trial.law == .t1 || trial.law == .t2 else { return }

    #expect(trial.violations().isEmpty, "\(trial.law.sentence)")
  }

  @Test(
    "A law detects the fault that breaks it", arguments: Fault.allCases.filter { $0 != .toleratesZeroDemand })
  func notices(_ fault: Fault) {
    for law in fault.breaks {
      #expect(!law.violations(by: Self.mutant(fault).candidate).isEmpty, "\(law)")
    }
  }

  @Test(
    "`checkLaws` detects each fault without a profile of the operator",
    arguments: Fault.allCases.filter { $0 != .toleratesZeroDemand })
  func noticesUnknown(_ fault: Fault) {
    let broken = Self.reports(fault).flatMap(\.violations).map(\.law)

    #expect(!Set(broken).isDisjoint(with: fault.breaks), "\(broken)")
  }

  @Test("`checkLaws` finds no violation in a stage without a fault")
  func isKeptUnknown() {
    #expect(Self.reports(nil).flatMap(\.violations).map(\.description) == [])
  }

  @Test("The laws about schedulers detect the faults that break them")
  func noticesOnSchedulers() {
    #expect(!Law.t1.violations(by: Self.hop(.deliversCancelledWork).candidate).isEmpty)
    #expect(!Law.t2.violations(by: Self.hop(.lastValueFirst).candidate).isEmpty)
    #expect(!Law.t2.violations(by: Self.hop(.completionFirst).candidate).isEmpty)
  }

  @Test("A stage traps on zero demand, and the mutant that tolerates it does not")
  func noticesTraps() async {
    await #expect(processExitsWith: .failure) {
      Self.mutant(nil).candidate.flow(.none).recorder.request(.none)
    }
    await #expect(processExitsWith: .success) {
      Lifetimes.endingWhatIsLeft {
        Self.mutant(.toleratesZeroDemand).candidate.flow(.none).recorder.request(.none)
      }
    }
  }

  @Test("A broken law is reported at the line of its check, with what was due", arguments: [Law.c05, .c03])
  func isReported(_ law: Law) throws {
    let fault = try #require(Fault.allCases.first { $0.breaks.contains(law) })
    let trial = try #require(Trial.all(of: [Self.mutant(fault)]).first { $0.law == law })

    withKnownIssue {
      trial.report()
    } matching: { issue in
      issue.sourceLocation?.fileID == "StreamsTesting/Demanding.swift"
        && (law != .c05 || issue.comments.contains { $0.rawValue.contains("; due: ") })
    }
  }

  @Test("Every checked law has a fault that breaks it")
  func everyLawHasAFault() {
    let broken = Set(Fault.allCases.flatMap(\.breaks)).union([.t1, .t2])

    #expect(Set(Law.checked).subtracting(broken).isEmpty)
  }

  /// What `checkLaws` finds: upon an upstream that makes the stage end early, too.
  private static func reports(_ fault: Fault?) -> [LawReport] {
    [
      checkLaws(throwing: 60) { Mutant($0, fault, $1) },
      checkLaws(throwing: 60) { upstream, scheduler in
        Mutant(upstream.map { $0 == 3 ? 50 : $0 }, fault, scheduler)
      },
    ]
  }

  private static func mutant(_ fault: Fault?) -> OperatorCase {
    OperatorCase(
      fault.map { "a stage that \($0)" } ?? "a stage without fault", .stops(at: 50, sending: 50),
      .throwsAt(60),
      assembling: { stand in Mutant(stand.upstream(), fault, stand.scheduler) })
  }

  private static func hop(_ fault: Hop<Script<Int, TestFailure>>.Fault?) -> OperatorCase {
    OperatorCase("hop", .zeroDemandIsHarmless, scheduled: { Hop(upstream: $0, fault: fault, scheduler: $1) })
  }
}
