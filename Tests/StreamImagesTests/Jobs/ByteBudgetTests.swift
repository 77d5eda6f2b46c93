import StreamImages
import Testing

@Suite("A budget of bytes", .timeLimit(.minutes(1)))
struct ByteBudgetTests {
  @Test("counts what is held, and gives it back when the last has let go of it")
  func counting() {
    let budget = ByteBudget(limit: 10)
    var charges = [budget.charge(7), budget.charge(5)]
    let copy = charges[0]

    #expect(budget.byteCount == 12)
    charges = []
    #expect(budget.byteCount == 7)
    withExtendedLifetime(copy) {}
  }

  @Test("has room for whoever comes while it is not exceeded")
  func room() async {
    let budget = ByteBudget(limit: 10)
    let charge = budget.charge(10)

    await budget.waitForRoom()

    withExtendedLifetime(charge) {}
  }

  @Test("lets all go on who wait, once it is not exceeded any more")
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

  @Test("keeps nobody who was cancelled")
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
}
