import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Operators under stress", .leavesNothing, .atMostTenIssues)
struct OperatorStressTests {
  @Test("`flatMap` delivers concurrent values serially, loses none, and keeps each publisher's order")
  func flatMapSerial() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let witness = Witness<Int, Never>()
    subjects.publisher.flatMap { $0 }.subscribe(witness)
    let count = 700
    let send: @Sendable (Int) -> Void = { sender in
      for value in 0..<count { subjects[sender].send(sender * 10_000 + value) }
      subjects[sender].send(completion: .finished)
    }

    race({ send(0) }, { send(1) }, { send(2) })

    #expect(witness.faults.isEmpty)
    #expect(witness.completions == 1)
    for sender in 0..<3 {
      #expect(witness.values.filter { $0 / 10_000 == sender } == (0..<count).map { sender * 10_000 + $0 })
    }
  }

  @Test("`flatMap` loses nothing while several threads request")
  func flatMapDemand() {
    for _ in 0..<20 {
      let witness = Witness<Int, Never>(demand: .none)
      [0, 1].publisher.flatMap { start in (start * 1000..<start * 1000 + 100).publisher }.subscribe(witness)
      let ask: @Sendable () -> Void = { for _ in 0..<70 { witness.request(.max(1)) } }

      race(ask, ask, { for _ in 0..<59 { witness.request(.max(1)) } })
      let before = witness.values.count
      witness.request(.max(1))

      #expect(before == 199)
      #expect(witness.values.filter { $0 < 1000 } == Array(0..<100))
      #expect(witness.values.filter { $0 >= 1000 } == Array(1000..<1100))
      #expect(witness.completions == 1)
      #expect(witness.faults.isEmpty)
    }
  }

  @Test("`flatMap` keeps the order if a thread requests unlimited demand meanwhile")
  func flatMapBecomesUnlimited() {
    for _ in 0..<40 {
      let witness = Witness<Int, Never>(demand: .none)
      [0, 1].publisher.flatMap { start in (start * 1000..<start * 1000 + 100).publisher }.subscribe(witness)

      race({ for _ in 0..<30 { witness.request(.max(1)) } }, { witness.request(.unlimited) })

      #expect(witness.values.filter { $0 < 1000 } == Array(0..<100))
      #expect(witness.values.filter { $0 >= 1000 } == Array(1000..<1100))
      #expect(witness.completions == 1)
      #expect(witness.faults.isEmpty)
    }
  }

  @Test("`flatMap` ends at most once while threads send, fail and cancel")
  func flatMapEnds() {
    let leaked = Lifetimes.leaks { lifetimes in
      for round in 0..<60 {
        let outer = PassthroughSubject<Int, Problem>()
        let children = (0..<3).map { _ in PassthroughSubject<Int, Problem>() }
        let witness = lifetimes.track(Witness<Int, Problem>(), as: "witness")
        outer.flatMap { children[$0] }.subscribe(witness)
        outer.send(0)

        race(
          { for index in 1..<3 { outer.send(index) } },
          { for value in 0..<20 { children[0].send(value) } },
          { children[0].send(completion: .failure(Problem(code: 1))) },
          { if round.isMultiple(of: 2) { witness.cancel() } else { outer.send(completion: .finished) } })

        #expect(witness.completions <= 1)
        #expect(witness.faults.isEmpty)
        witness.forget()
      }
    }

    #expect(leaked.isEmpty)
  }

  @Test("`flatMap` cancels upstream once if its subscription arrives during cancellation")
  func flatMapCancelMeetsArrival() throws {
    for _ in 0..<300 {
      let script = Script(Int.self, failure: Never.self)
      script.handsOverAtOnce = false
      let witness = Witness<Int, Never>()
      script.flatMap { Just($0) }.subscribe(witness)
      let session = try #require(script.session)

      race({ session.handOver(session.subscription) }, { witness.cancel() })

      #expect(script.cancellations == 1)
    }
  }

  @Test("`receive(on:)` keeps order and delivers the completion last on a concurrent queue")
  func receiveOnConcurrentQueue() {
    let count = 1000
    let scheduler = ConcurrentScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let witness = Witness<Int, Never>()
    subject.receive(on: scheduler).subscribe(witness)

    for value in 0..<count { subject.send(value) }
    subject.send(completion: .finished)
    scheduler.wait()

    #expect(witness.values == Array(0..<count))
    #expect(witness.completions == 1)
    #expect(witness.faults.isEmpty)
  }

  @Test("`receive(on:)` delivers nothing after a concurrent cancellation, and leaks nothing")
  func receiveOnCancel() {
    let leaked = Lifetimes.leaks { lifetimes in
      for _ in 0..<40 {
        let scheduler = ConcurrentScheduler()
        let subject = PassthroughSubject<Int, Never>()
        let witness = lifetimes.track(Witness<Int, Never>(), as: "witness")
        subject.receive(on: scheduler).subscribe(witness)

        race({ for value in 0..<30 { subject.send(value) } }, { witness.cancel() })
        scheduler.wait()

        #expect(witness.values == Array(0..<witness.values.count))
        #expect(witness.completions == 0)
        #expect(witness.faults.isEmpty)
        witness.forget()
      }
    }

    #expect(leaked.isEmpty)
  }

  @Test("`subscribe(on:)` cancels upstream once if the subscription races with cancellation")
  func subscribeOnCancel() {
    for _ in 0..<60 {
      let scheduler = ConcurrentScheduler()
      let script = Script(Int.self, failure: Never.self)
      let cancellable = script.subscribe(on: scheduler).sink { _ in }

      cancellable.cancel()
      scheduler.wait()

      #expect(script.cancellations == 1)
    }
  }

  @Test("`append` and `catch` switch publishers once while threads request and cancel")
  func concatenations() {
    for round in 0..<60 {
      let first = PassthroughSubject<Int, Problem>()
      let witness = Witness<Int, Problem>(demand: .none)
      let tail = (100..<120).publisher.setFailureType(to: Problem.self)
      if round.isMultiple(of: 2) {
        first.append(tail).subscribe(witness)
      } else {
        first.catch { _ in tail }.subscribe(witness)
      }

      race(
        {
          for value in 0..<10 { first.send(value) }
          first.send(completion: round.isMultiple(of: 2) ? .finished : .failure(Problem(code: 1)))
        },
        { for _ in 0..<40 { witness.request(.max(1)) } },
        { if round % 3 == 0 { witness.cancel() } })

      let tailValues = witness.values.filter { $0 >= 100 }
      #expect(tailValues == Array(100..<100 + tailValues.count))
      #expect(round % 3 == 0 || tailValues.count == 20)
      #expect(witness.completions <= 1)
      #expect(witness.faults.isEmpty)
    }
  }

  @Test("A chain of stages cancels upstream once when several threads cancel it")
  func cancelsOnce() {
    for _ in 0..<100 {
      let script = Script(Int.self, failure: Never.self)
      let witness = Witness<Int, Never>()
      script.prefix { $0 < 50 }.handleEvents().subscribe(witness)
      let cancel: @Sendable () -> Void = { witness.cancel() }

      race({ for value in 0..<60 { script.say(value) } }, cancel, cancel)

      #expect(script.cancellations == 1)
      #expect(witness.faults.isEmpty)
    }
  }
}

/// Runs every job on a queue that runs several at once.
private final class ConcurrentScheduler: Scheduler, Sendable {
  private let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
  private let jobs = DispatchGroup()

  var now: VirtualTime { VirtualTime() }
  var minimumTolerance: VirtualTime.Stride { 0 }

  /// Waits until all jobs have been done, those that jobs add included.
  func wait() { jobs.wait() }

  func schedule(options _: Never?, _ action: @escaping () -> Void) {
    let action = Shared(action)
    queue.async(group: jobs) { action.value() }
  }

  func schedule(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    schedule(options: options, action)
  }

  func schedule(
    after _: VirtualTime, interval _: VirtualTime.Stride, tolerance _: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: options, action)
    return AnyCancellable {}
  }
}
