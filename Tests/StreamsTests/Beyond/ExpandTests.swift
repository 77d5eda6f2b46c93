import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`expand`", .leavesNothing)
struct ExpandTests {
  @Test(
    "`expand` sends as many values as requested, and creates no more publishers than needed",
    arguments: [MorePublishers.ExpandOrder.breadthFirst, .depthFirst])
  func demand(_ order: MorePublishers.ExpandOrder) {
    var made = 0
    let recorder = Just(1).expand(order) { value in
      made += 1
      return [value + 1].publisher
    }.record(demand: .max(3))

    let early = (recorder.values, made)
    recorder.request(.max(2))

    #expect(early.0 == [1, 2, 3])
    #expect(early.1 <= 3)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    recorder.cancel()
  }

  @Test(
    "`expand` follows a chain of 100,000 values without deepening the stack",
    arguments: [MorePublishers.ExpandOrder.breadthFirst, .depthFirst])
  func isFlat(_ order: MorePublishers.ExpandOrder) {
    let recorder = Just(1).expand(order) { ($0 < 100_000 ? $0 + 1 : nil).publisher }.record()

    let single = Just(1).expand(order) { ($0 < 100_000 ? $0 + 1 : nil).publisher }
      .record(demand: .max(1)) { $0.onValue = { recorder, _ in recorder.request(.max(1)) } }

    for recorder in [recorder, single] {
      #expect(recorder.values.count == 100_000)
      #expect(recorder.completions == [.finished])
    }
  }

  @Test("Depth-first `expand` requests one upstream value at a time")
  func asksForOne() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.expand(.depthFirst) { _ in second }.record()

    first.say(1)
    let early = first.demands.reduce(.none, +)
    second.end()

    #expect(early == .max(1))
    #expect(first.demands.reduce(.none, +) == .max(2))
    recorder.cancel()
  }

  @Test("`expand` fails with the first failure, and cancels the other publishers, latest first")
  func fails() {
    let journal = Journal()
    let first = Script(Int.self, failure: Problem.self, name: "first", journal: journal)
    let second = Script(Int.self, failure: Problem.self, name: "second", journal: journal)
    let third = Script(Int.self, failure: Problem.self, name: "third", journal: journal)
    let recorder = first.expand(.depthFirst) { $0 == 1 ? second : third }.record()

    first.say(1)
    second.say(2)
    third.end(.failure(Problem(code: 1)))

    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.failure(Problem(code: 1))])
    #expect(journal.has("second: cancel", before: "first: cancel"))
  }

  @Test(
    "`expand` follows each value that was sent, also if its subscriber ends upstream inside the delivery",
    arguments: [MorePublishers.ExpandOrder.breadthFirst, .depthFirst])
  func endsInside(_ order: MorePublishers.ExpandOrder) {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.expand(order) { ($0 < 100 ? $0 * 10 : nil).publisher }.record {
      $0.onValue = { _, value in
        guard value == 1 else { return }
        subject.send(2)
        subject.send(completion: .finished)
      }
    }

    subject.send(1)

    // Depth-first, nothing more is requested before 1 is followed: the subject loses 2.
    #expect(recorder.values == (order == .breadthFirst ? [1, 2, 10, 20, 100, 200] : [1, 10, 100]))
    #expect(recorder.completions == [.finished])
  }

  @Test(
    "Depth-first `expand` follows a value before a sibling that is requested inside the delivery",
    arguments: [true, false])
  func followsFirst(isAnswer: Bool) {
    let child = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>(demand: .max(1), answering: isAnswer ? .max(1) : .none)
    if !isAnswer { recorder.onValue = { recorder, _ in recorder.request(.max(1)) } }
    [1, 10].publisher.expand(.depthFirst) { value in
      value == 1 ? child.eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
    }.subscribe(recorder)

    let before = recorder.values
    child.say(2)
    child.end()

    #expect(before == [1])
    #expect(recorder.values == [1, 2, 10])
    #expect(recorder.completions == [.finished])
  }

  @Test(
    "`expand` follows nothing more if its subscriber cancels inside the delivery",
    arguments: [MorePublishers.ExpandOrder.breadthFirst, .depthFirst])
  func cancelsInside(_ order: MorePublishers.ExpandOrder) {
    var made = 0
    let recorder = [1, 2].publisher.expand(order) { value in
      made += 1
      return [value].publisher
    }.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(recorder.events == [.subscription, .value(1)])
    #expect(made == 0)
  }
}
