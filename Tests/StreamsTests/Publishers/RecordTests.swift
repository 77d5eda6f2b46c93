import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("`Record`", .leavesNothing)
struct RecordTests {
  @Test(
    "`Record` sends its values within demand, and its completion right after the last",
    arguments: [
      (output: [], asked: [], sent: 0, isOver: true),
      (output: [1], asked: [], sent: 0, isOver: false),
      (output: [1], asked: [.none], sent: 0, isOver: false),
      (output: [1], asked: [.max(1)], sent: 1, isOver: true),
      (output: [1, 2, 3], asked: [.max(2)], sent: 2, isOver: false),
      (output: [1, 2, 3], asked: [.max(2), .none, .max(1)], sent: 3, isOver: true),
      (output: [1, 2, 3], asked: [.unlimited], sent: 3, isOver: true),
    ] as [(output: [Int], asked: [Subscribers.Demand], sent: Int, isOver: Bool)],
    [.finished, .failure(Problem(code: 1))] as [Subscribers.Completion<Problem>])
  func sends(
    _ row: (output: [Int], asked: [Subscribers.Demand], sent: Int, isOver: Bool),
    _ completion: Subscribers.Completion<Problem>
  ) {
    let recorder = Record(output: row.output, completion: completion).record(demand: .none)

    for demand in row.asked { recorder.request(demand) }

    #expect(recorder.values == Array(row.output.prefix(row.sent)))
    #expect(recorder.completions == (row.isOver ? [completion] : []))
  }

  @Test("`Record` sends all of its values to each subscriber")
  func repeats() {
    let record = Record(output: [1, 2], completion: .failure(Problem(code: 1)))

    let (first, second) = (record.record(), record.record())

    #expect(first.events == second.events)
    #expect(first.values == [1, 2])
    #expect("\(record.record(demand: .none).subscriptions[0])" == "[1, 2]")
  }

  @Test("`Record` runs its recording closure immediately, and finishes by default")
  func fills() {
    let finished = Record<Int, Problem> { $0.receive(1) }
    let failed = Record<Int, Problem> { recording in
      recording.receive(1)
      recording.receive(2)
      recording.receive(completion: .failure(Problem(code: 1)))
    }

    #expect(finished.recording.output == [1])
    #expect(finished.recording.completion == .finished)
    #expect(failed.recording.output == [1, 2])
    #expect(failed.recording.completion == .failure(Problem(code: 1)))
    #expect(Record<Int, Problem>.Recording(output: [1]).completion == .finished)
  }

  @Test("`Record` keeps its values and completion when encoded and decoded")
  func codes() throws {
    let record = Record(output: [1, 2], completion: .failure(Problem(code: 3)))

    let data = try JSONEncoder().encode(record)
    let read = try JSONDecoder().decode(Record<Int, Problem>.self, from: data)
    let text = try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]

    #expect(read.recording.output == [1, 2])
    #expect(read.recording.completion == .failure(Problem(code: 3)))
    #expect(text?["recording"]?.keys.sorted() == ["completion", "output"])
  }

  @Test("`Record` traps on values and completions after its completion")
  func complete() async {
    await #expect(processExitsWith: .failure) {
      _ = Record<Int, Problem> { recording in
        recording.receive(completion: .finished)
        recording.receive(1)
      }
    }
    await #expect(processExitsWith: .failure) {
      var recording = Record<Int, Problem>.Recording(output: [1], completion: .finished)
      recording.receive(completion: .finished)
    }
    await #expect(processExitsWith: .failure) {
      let data = try JSONEncoder().encode(Record<Int, Problem>.Recording(output: [1]))
      var read = try JSONDecoder().decode(Record<Int, Problem>.Recording.self, from: data)
      read.receive(2)
    }
  }
}
