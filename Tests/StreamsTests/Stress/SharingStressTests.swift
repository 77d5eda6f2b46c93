import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("`share` under stress", .leavesNothing, .atMostTenIssues)
struct ShareStressTests {
  @Test("`share` connects once when threads subscribe concurrently")
  func connectsOnce() {
    for _ in 0..<100 {
      let script = Script(Int.self, failure: Never.self)
      let shared = Shared(script.share())
      let witnesses = (0..<3).map { _ in Witness<Int, Never>() }

      race(
        { shared.value.subscribe(witnesses[0]) }, { shared.value.subscribe(witnesses[1]) },
        { shared.value.subscribe(witnesses[2]) })
      script.say(1)

      #expect(script.sessions.count == 1)
      #expect(witnesses.allSatisfy { $0.values == [1] })
    }
  }

  @Test("`share` closes every connection after concurrent subscribers have cancelled")
  func reconnects() {
    for _ in 0..<60 {
      let script = Script(Int.self, failure: Never.self)
      let shared = Shared(script.share())
      let visit: @Sendable () -> Void = {
        for _ in 0..<5 {
          let witness = Witness<Int, Never>()
          shared.value.subscribe(witness)
          witness.cancel()
        }
      }

      race(visit, visit, visit)

      #expect(script.sessions.allSatisfy { $0.subscription.cancellations == 1 })
      let latecomer = Witness<Int, Never>()
      shared.value.subscribe(latecomer)
      script.say(1)
      #expect(latecomer.values == [1])
    }
  }

  @Test("`share` completes for all remaining subscribers while others join and cancel")
  func ends() {
    for _ in 0..<60 {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share()
      let (staying, leaving, coming) = (Witness<Int, Never>(), Witness<Int, Never>(), Witness<Int, Never>())
      shared.subscribe(staying)
      shared.subscribe(leaving)

      race(
        {
          for value in 0..<20 { subject.send(value) }
          subject.send(completion: .finished)
        },
        { leaving.cancel() },
        { shared.subscribe(coming) })

      #expect(staying.values == Array(0..<20))
      #expect(staying.completions == 1)
      #expect(coming.completions == 1)
      #expect(staying.faults + leaving.faults + coming.faults == [])
    }
  }
}

@Suite("`Future` under stress", .leavesNothing, .atMostTenIssues)
struct FutureStressTests {
  @Test("`Future` serves every subscriber once while threads resolve, subscribe and request")
  func resolves() {
    for round in 0..<150 {
      let promise = Guarded<Future<Int, Never>.Promise?>(nil)
      let future = Future<Int, Never> { given in promise.withLock { $0 = given } }
      let fulfil = promise.withLock { $0! }
      let (early, late) = (Witness<Int, Never>(), Witness<Int, Never>())
      let asking = Witness<Int, Never>(demand: .none)
      future.subscribe(early)
      future.subscribe(asking)

      race(
        { fulfil(.success(round)) }, { fulfil(.success(round)) }, { asking.request(.max(1)) },
        { future.subscribe(late) })

      for witness in [early, asking, late] {
        #expect(witness.values == [round])
        #expect(witness.completions == 1)
        #expect(witness.faults.isEmpty)
      }
    }
  }

  @Test("`Future` leaks no subscriber that cancels while it is resolved")
  func cancels() {
    let leaked = Lifetimes.leaks { lifetimes in
      for round in 0..<100 {
        let promise = Guarded<Future<Int, Never>.Promise?>(nil)
        let future = Future<Int, Never> { given in promise.withLock { $0 = given } }
        lifetimes.track(future, as: "future")
        let fulfil = promise.withLock { $0.take()! }
        let witness = lifetimes.track(Witness<Int, Never>(demand: .none), as: "witness")

        race(
          { future.subscribe(witness) },
          { witness.request(.max(1)) },
          { witness.cancel() },
          { if round.isMultiple(of: 2) { fulfil(.success(round)) } })

        #expect(witness.values.count <= 1)
        #expect(witness.faults.isEmpty)
        witness.cancel()
        witness.forget()
      }
    }

    #expect(leaked.isEmpty)
  }
}

@Suite("`@Published` under stress", .leavesNothing, .atMostTenIssues)
struct PublishedStressTests {
  private final class Model: @unchecked Sendable {  // a published property has a lock of its own
    @Published var number = -1
  }

  @Test("A published property sends its final value last while several threads set it")
  func lastValue() {
    for _ in 0..<100 {
      let model = Model()
      let witness = Witness<Int, Never>()
      let late = Witness<Int, Never>()

      race(
        { for value in 0..<20 { model.number = value } },
        { for value in 100..<120 { model.number = value } },
        { model.$number.subscribe(witness) },
        { model.$number.subscribe(late) })

      #expect(witness.values.last == model.number)
      #expect(late.values.last == model.number)
      #expect(witness.faults + late.faults == [])
    }
  }
}
