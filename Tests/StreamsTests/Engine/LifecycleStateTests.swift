import Streams
import Synchronization
import Testing

@Suite("`LifecycleState`", .atMostTenIssues)
struct LifecycleStateTests {
  /// Flags and a count.
  private struct Model {
    var isAttached = false, hasEnded = false, isClosed = false, isCleaned = false
    var inside = 0
    var isOpen: Bool { isAttached && !hasEnded && !isClosed }

    mutating func attach() -> Bool {
      defer { isAttached = true }
      return !isAttached && !isClosed
    }

    mutating func detach() -> Bool {
      defer { hasEnded = true }
      return isOpen
    }

    mutating func close() -> Bool {
      defer { isClosed = true }
      return !isClosed
    }

    mutating func leave() -> Bool {
      inside -= 1
      guard isClosed, inside == 0, !isCleaned else { return false }
      isCleaned = true
      return true
    }
  }

  @Test("A `LifecycleState` answers six calls in any order as flags and a count do", arguments: 0..<6)
  func model(first: Int) {
    for number in 0..<7_776 {
      let lifecycle = LifecycleState()
      var (model, answers, expected) = (Model(), [Bool](), [Bool]())
      let digits = [1, 6, 36, 216, 1_296].map { number / $0 % 6 }
      for call in [first] + digits {
        switch call {
        case 0, 1:
          answers.append(call == 0 ? lifecycle.enter() : lifecycle.enterEarly())
          expected.append(call == 0 ? model.isOpen : !model.isClosed)
          model.inside += 1
        case 2 where model.inside > 0:
          answers.append(lifecycle.leave())
          expected.append(model.leave())
        case 3:
          answers.append(lifecycle.attach())
          expected.append(model.attach())
        case 4:
          answers.append(lifecycle.close())
          expected.append(model.close())
        case 5 where model.isAttached:
          answers.append(lifecycle.detach())
          expected.append(model.detach())
        default: break
        }
        answers.append(lifecycle.isOpen)
        expected.append(model.isOpen)
      }
      if answers != expected { Issue.record("\(digits): \(answers) and not \(expected)") }
    }
  }

  @Test("Exactly one thread cleans up and one closes when threads use `LifecycleState` concurrently")
  func oneLastOneOut() {
    for _ in 0..<200 {
      let hall = Hall()
      let pass: @Sendable () -> Void = { for _ in 0..<5 { hall.pass() } }

      race(
        pass,
        {
          hall.pass()
          hall.close()
        },
        {
          hall.close()
          hall.pass()
        })

      #expect(hall.cleanings == 1)
      #expect(hall.closings == 1)
    }
  }
}

private final class Hall: Sendable {
  private let lifecycle = LifecycleState()
  private let cleaned = Atomic(0)
  private let closed = Atomic(0)

  init() { _ = lifecycle.attach() }

  var cleanings: Int { cleaned.load(ordering: .relaxed) }
  var closings: Int { closed.load(ordering: .relaxed) }

  func pass() {
    _ = lifecycle.enter()
    if lifecycle.leave() { cleaned.wrappingAdd(1, ordering: .relaxed) }
  }

  func close() {
    _ = lifecycle.enter()
    if lifecycle.close() { closed.wrappingAdd(1, ordering: .relaxed) }
    if lifecycle.leave() { cleaned.wrappingAdd(1, ordering: .relaxed) }
  }
}

extension LifecycleState {
  /// Attaches an upstream without a gate.
  borrowing func attach() -> Bool { claim() && attach(under: nil) }
}
