import StreamImages
import Testing

@Suite("A budget of bytes", .timeLimit(.minutes(20)))
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

  @Test("looks again before it lets go on: room may be gone by the time that a task runs")
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

/// Runs its tasks when it is told to.
private final class SteppedExecutor: TaskExecutor {
  private let jobs = Shared<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0.append(job) }
  }

  func run() {
    while !jobs.value.isEmpty {
      var next: [UnownedJob] = []
      jobs.change { swap(&$0, &next) }
      for job in next { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
