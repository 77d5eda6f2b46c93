import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Subjects under stress", .leavesNothing, .atMostTenIssues)
struct SubjectStressTests {
  @Test("A subject delivers values of several threads serially, in each sender's order")
  func manySenders() {
    let subject = PassthroughSubject<Int, Never>()
    let witnesses = (0..<3).map { _ in Witness<Int, Never>() }
    for witness in witnesses { subject.subscribe(witness) }
    let count = 1000

    race(
      { for value in 0..<count { subject.send(value) } },
      { for value in 0..<count { subject.send(10_000 + value) } },
      { for value in 0..<count { subject.send(20_000 + value) } })
    subject.send(completion: .finished)

    for witness in witnesses {
      #expect(witness.faults.isEmpty)
      #expect(witness.completions == 1)
      for sender in 0..<3 {
        let own = witness.values.filter { $0 / 10_000 == sender }
        #expect(own == (0..<count).map { sender * 10_000 + $0 })
      }
    }
    #expect(witnesses.allSatisfy { $0.values == witnesses[0].values })
  }

  @Test("A subject sends only within demand while another thread requests")
  func demand() {
    let subject = PassthroughSubject<Int, Never>()
    let witness = Witness<Int, Never>(demand: .none)
    subject.subscribe(witness)

    race(
      { for value in 0..<1000 { subject.send(value) } },
      { for value in 0..<1000 { subject.send(10_000 + value) } },
      { for _ in 0..<300 { witness.request(.max(1)) } })
    for value in 0..<1000 { subject.send(20_000 + value) }

    #expect(witness.values.count == 300)
    #expect(witness.faults.isEmpty)
  }

  @Test("A subject completes once while threads send, subscribe, cancel and complete")
  func everythingAtOnce() {
    for _ in 0..<60 {
      let subject = PassthroughSubject<Int, Never>()
      let (early, leaving, late) = (Witness<Int, Never>(), Witness<Int, Never>(), Witness<Int, Never>())
      subject.subscribe(early)
      subject.subscribe(leaving)

      race(
        { for value in 0..<50 { subject.send(value) } },
        { for value in 0..<50 { subject.send(100 + value) } },
        {
          subject.subscribe(late)
          subject.send(completion: .finished)
        },
        { leaving.cancel() })

      #expect(early.completions == 1)
      #expect(late.completions == 1)
      #expect(leaving.completions <= 1)
      #expect(early.faults + leaving.faults + late.faults == [])
    }
  }

  @Test("A current value subject sends its last value last while several threads send")
  func lastValue() {
    for _ in 0..<60 {
      let subject = CurrentValueSubject<Int, Never>(-1)
      let (early, modest, late) = (
        Witness<Int, Never>(), Witness<Int, Never>(demand: .max(1), answering: .max(1)), Witness<Int, Never>()
      )
      subject.subscribe(early)
      subject.subscribe(modest)

      race(
        { for value in 0..<50 { subject.send(value) } },
        { for value in 100..<150 { subject.value = value } },
        { subject.subscribe(late) })

      let last = subject.value
      #expect(early.values.last == last)
      #expect(modest.values.last == last)
      #expect(late.values.last == last)
      #expect(Set(early.values).count == early.values.count)
      #expect(early.values.count == 101)
      #expect(early.faults + modest.faults + late.faults == [])
    }
  }

  @Test("A current value subject sends its last value last while its subscriber sends too")
  func lastValueOfReentrantSenders() {
    for _ in 0..<60 {
      let subject = CurrentValueSubject<Int, Never>(-1)
      let witness = Recorder<Int, Never>()
      witness.onValue = { [unowned subject] _, value in
        if value < 50, value.isMultiple(of: 3) { subject.send(1000 + value) }
      }
      subject.subscribe(witness)

      race(
        { for value in 0..<50 { subject.send(value) } },
        { for value in 100..<150 { subject.send(value) } })

      #expect(witness.values.last == subject.value)
    }
  }

  @Test("A current value subject sends a concurrent subscriber every value from its first on")
  func suffix() {
    for _ in 0..<60 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let late = Witness<Int, Never>()

      race({ for value in 1...100 { subject.send(value) } }, { subject.subscribe(late) })

      #expect(late.values == late.values.first.map { Array($0...100) })
      #expect(late.faults.isEmpty)
    }
  }

  @Test("Subjects that send into each other from two threads do not deadlock")
  func crossWired() {
    let (ping, pong) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let pings = Atomic(0)
    let pongs = Atomic(0)
    let wires = [
      ping.sink { value in
        pings.wrappingAdd(1, ordering: .relaxed)
        if value > 0 { pong.send(value - 1) }
      },
      pong.sink { value in
        pongs.wrappingAdd(1, ordering: .relaxed)
        if value > 0 { ping.send(value - 1) }
      },
    ]

    race({ for _ in 0..<300 { ping.send(5) } }, { for _ in 0..<300 { pong.send(5) } })

    #expect(pings.load(ordering: .relaxed) == 1800)
    #expect(pongs.load(ordering: .relaxed) == 1800)
    for wire in wires { wire.cancel() }
  }

  @Test("A subject leaks nothing after threads send, subscribe, cancel and complete")
  func lifetimes() {
    let leaked = Lifetimes.leaks { lifetimes in
      for round in 0..<40 {
        let subject = lifetimes.track(PassthroughSubject<Int, Never>(), as: "subject \(round)")
        let witnesses = (0..<3).map { _ in lifetimes.track(Witness<Int, Never>(), as: "witness \(round)") }

        race(
          { for value in 0..<20 { subject.send(value) } },
          { for witness in witnesses { subject.subscribe(witness) } },
          { for witness in witnesses.reversed() { witness.cancel() } },
          { if round.isMultiple(of: 2) { subject.send(completion: .finished) } })
        for witness in witnesses { witness.forget() }
      }
    }

    #expect(leaked.isEmpty)
  }
}
