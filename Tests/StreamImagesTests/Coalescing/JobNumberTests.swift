import StreamImages
import StreamsTesting
import Testing

@Suite("`JobTable`: numbers and priorities")
struct JobNumberTests {
  @Test("Subscribers of one job receive its number, and a priority has no observers after its job")
  func numbers() {
    struct Numbered: JobValue {
      var isPreview = false
      var wasCoalesced = false
      var job: UInt64?
    }
    let (table, work, priority) = (
      JobTable<String, Numbered>(), ScriptedWork<Numbered>(), DynamicPriority(.low)
    )
    let recorders = (0..<4).map { index in
      table.publisher("\(index / 2)", for: priority) { _ in work.step }.record()
    }
    #expect(priority.counts == (0, 4) && table.priority(of: "0") == .low && table.priority(of: "2") == nil)
    recorders[3].cancel()
    #expect(priority.counts == (0, 3))

    work.finish(Numbered())
    #expect(table.waitingCount == 2)
    let third = Shared<UInt64?>(nil)
    var run: StepRun? = StepRun()
    table.step("1", for: priority) { _ in work.step }.begin(run!) { outcome in
      third.change { $0 = (try? outcome.get())?.job }
    }
    work.finish(Numbered())
    table.close(.cancelled)
    // It was not cancelled, only released.
    run = nil

    let numbers = [recorders[2].values.first?.job, third.value]
    #expect(numbers.allSatisfy { $0 != nil } && numbers[0] != numbers[1])
    #expect(priority.counts == (0, 0) && run == nil)
  }
}
