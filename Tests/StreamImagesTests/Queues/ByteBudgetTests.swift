import StreamImages
import Testing

@Suite("`ByteBudget`", .timeLimit(.minutes(20)))
struct ByteBudgetTests {
  @Test("A charge counts until its last copy is released")
  func counting() {
    let budget = ByteBudget(limit: 10)
    var charges = [budget.charge(7), budget.charge(5)]
    let copy = charges[0]

    #expect(budget.byteCount == 12)
    charges = []
    #expect(budget.byteCount == 7)
    withExtendedLifetime(copy) {}
  }

  @Test("A task does not wait while the budget is not exceeded")
  func room() async {
    let budget = ByteBudget(limit: 10)
    let charge = budget.charge(10)
    let hasRoom = Shared(false)

    let task = Task {
      await budget.waitForRoom()
      hasRoom.change { $0 = true }
    }
    await until { hasRoom.value || budget.waitingCount > 0 }

    #expect(hasRoom.value)
    withExtendedLifetime(charge) {}
    task.cancel()
  }

  @Test("All waiting tasks continue once the budget is no longer exceeded")
  func waiting() async {
    let budget = ByteBudget(limit: 10)
    var charge: ByteBudget.Charge? = budget.charge(11)
    let waiting = (0..<3).map { _ in Task { await budget.waitForRoom() } }
    await until { budget.waitingCount == 3 }

    withExtendedLifetime(charge) {}
    charge = nil

    for task in waiting { await task.value }
    #expect(budget.waitingCount == 0)
  }

  @Test("Waiting tasks continue once the bytes are exactly the limit")
  func exactly() async {
    let budget = ByteBudget(limit: 10)
    let charge = budget.charge(10)
    var last: ByteBudget.Charge? = budget.charge(1)
    let waiting = Task { await budget.waitForRoom() }
    await until { budget.waitingCount == 1 }

    withExtendedLifetime(last) {}
    last = nil

    await waiting.value
    #expect(budget.byteCount == 10)
    withExtendedLifetime(charge) {}
  }

  @Test("A task that is cancelled before does not wait")
  func cancelledBefore() async {
    let budget = ByteBudget(limit: 0)
    let charge = budget.charge(1)

    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await budget.waitForRoom()
    }.value

    #expect(budget.waitingCount == 0 && budget.byteCount == 1)
    withExtendedLifetime(charge) {}
  }

  @Test("A cancelled task stops waiting")
  func cancelling() async {
    let budget = ByteBudget(limit: 0)
    let charge = budget.charge(1)
    let waiting = Task { await budget.waitForRoom() }
    await until { budget.waitingCount == 1 }

    waiting.cancel()
    await waiting.value

    #expect(budget.waitingCount == 0)
    withExtendedLifetime(charge) {}
  }

  @Test("A waiting task checks the budget again before it continues")
  func goneAgain() async {
    let (budget, executor) = (ByteBudget(limit: 10), SteppedExecutor())
    var charge: ByteBudget.Charge? = budget.charge(11)
    let waiting = (0..<2).map { _ in Task(executorPreference: executor) { await budget.waitForRoom() } }
    executor.run()
    #expect(budget.waitingCount == 2)

    withExtendedLifetime(charge) {}
    charge = nil
    charge = budget.charge(11)
    executor.run()

    #expect(budget.waitingCount == 2)
    withExtendedLifetime(charge) {}
    charge = nil
    executor.run()
    #expect(budget.waitingCount == 0)
    for task in waiting { await task.value }
  }
}
