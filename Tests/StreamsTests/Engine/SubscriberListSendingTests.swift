import Streams
import StreamsTesting
import Testing

@Suite("`SubscriberList`: values that may be postponed", .leavesNothing)
struct SubscriberListSendingTests {
  private typealias List = SubscriberList<Int, Never>
  private typealias Listener = Recorder<Int, Never>

  @Test("A free list sends a value at once, inside a delivery too, and postpones nothing")
  func free() {
    let (list, journal) = (List("Test"), Journal())
    let listener = Listener(named: "a", in: journal)
    listener.onValue = { _, value in
      if value == 1 { list.send(2) { journal.note("postponed") } }
    }
    list.add(listener)

    list.send(1) { journal.note("postponed") }
    list.send(3) { journal.note("postponed") }
    waitForDeliveries()

    #expect(journal.lines == ["a: subscription", "a: value 1", "a: value 2", "a: value 3"])
  }

  @Test("A value that finds another thread inside is postponed until that has delivered")
  func busy() {
    let (list, journal) = (List("Test"), Journal())
    let (first, second) = (Listener(named: "a", in: journal), Listener(named: "b", in: journal))
    first.onValue = { _, value in
      if value == 1 { elsewhere { list.send(2) { journal.note("postponed") } } }
    }
    for listener in [first, second] { list.add(listener) }

    list.send(1)
    waitForDeliveries()

    #expect(journal.lines.dropFirst(2) == ["a: value 1", "b: value 1", "postponed"])
  }

  @Test("A value sent inside a delivery is postponed until another thread's queued value is delivered")
  func queued() {
    let (list, journal) = (List("Test"), Journal())
    let (first, second) = (Listener(named: "a", in: journal), Listener(named: "b", in: journal))
    first.onValue = { _, value in
      guard value == 1 else { return }
      elsewhere { list.send(2) }
      list.send(3) { journal.note("postponed") }
    }
    for listener in [first, second] { list.add(listener) }

    list.send(1)
    waitForDeliveries()

    #expect(
      journal.lines.dropFirst(2) == ["a: value 1", "b: value 1", "a: value 2", "b: value 2", "postponed"])
  }

  @Test("A nested value waits behind another thread's queued value, for every subscriber")
  func nestedMail() {
    let (list, journal) = (List("Test"), Journal())
    let (first, second) = (Listener(named: "a", in: journal), Listener(named: "b", in: journal))
    first.onValue = { _, value in
      guard value == 1 else { return }
      elsewhere { list.send(2) }
      list.send(3)
      list.send(completion: .finished)
    }
    for listener in [first, second] { list.add(listener) }

    list.send(1)
    waitForDeliveries()

    let values = [1, 2, 3].flatMap { ["a: value \($0)", "b: value \($0)"] }
    #expect(Array(journal.lines.dropFirst(2)) == values + ["a: finished", "b: finished"])
  }

  @Test("A list admits another thread once its sender has left, and not when a nested one has")
  func admits() {
    let (list, others) = (List("Test"), Journal())
    let listener = Listener()
    listener.onValue = { _, value in
      guard value == 1 else { return }
      _ = list.trySend(2)
      elsewhere { others.note("\(list.trySend(9))") }
    }
    list.add(listener)

    let isSent = list.trySend(1)
    elsewhere { list.send(3) }

    #expect(isSent)
    #expect(others.lines == ["false"])
    #expect(listener.values == [1, 2, 3])
  }

  @Test("A list has listeners from the first subscription to the last departure")
  func listeners() {
    let list = List("Test")
    let (first, second) = (Listener(), Listener())

    var seen = [list.hasListeners]
    for listener in [first, second] { list.add(listener) }
    seen.append(list.hasListeners)
    first.cancel()
    seen.append(list.hasListeners)
    second.cancel()
    seen.append(list.hasListeners)

    #expect(seen == [false, true, true, false])
  }

  @Test("A list has no listeners after its completion, its abandonment or a departure inside a delivery")
  func noListeners() {
    let lists = (0..<4).map { _ in List("Test") }
    let listeners = lists.map { list in
      let listener = Listener()
      list.add(listener)
      return listener
    }

    lists[0].send(completion: .finished)
    lists[0].add(Listener())
    lists[1].abandon()
    listeners[2].onValue = { listener, _ in listener.cancel() }
    lists[2].send(1)
    listeners[3].onValue = { [unowned list = lists[3]] listener, _ in
      let newcomer = Listener()
      elsewhere {
        list.add(newcomer)
        newcomer.cancel()
      }
      listener.cancel()
    }
    lists[3].send(1)

    #expect(lists.map(\.hasListeners) == [false, false, false, false])
  }

  @Test("A list tells its connection of each subscriber that it abandons, and of none twice")
  func abandons() {
    let connection = SharedConnection()
    let upstream = SubscriptionRecorder()
    let list = List("Test", connection: connection)
    let listeners = [Listener(), Listener(), Listener()]
    for _ in 1...4 { connection.join() }
    connection.newConnection()?.attach(upstream)
    for listener in listeners { list.add(listener) }

    listeners[0].cancel()
    list.abandon()
    for listener in listeners { listener.cancel() }
    let early = upstream.cancellations
    connection.leave()

    #expect(early == 0)
    #expect(upstream.cancellations == 1)
  }

  @Test("A list serves those who stay, in order, whoever leaves and joins between", arguments: 1...20)
  func comingAndGoing(_ seed: Int) {
    let list = List("Test")
    var (present, state) = ([(Int, Listener)](), UInt64(seed))
    let journal = Journal()
    for number in 0..<200 {
      let listener = Listener(named: "\(number)", in: journal)
      list.add(listener)
      present.append((number, listener))
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      for _ in 0..<Int(state >> (seed % 2 == 0 ? 62 : 63)) where !present.isEmpty {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        present.remove(at: Int(state >> 33) % present.count).1.cancel()
      }
    }

    list.send(7)

    let heard = journal.lines.filter { $0.hasSuffix("value 7") }
    #expect(heard == present.map { "\($0.0): value 7" })
  }

  @Test("A list that takes any request as one for everything counts no demand")
  func takesAll() {
    let list = List("Test", takesRequestsAsUnlimited: true)
    let listener = Listener(demand: .max(1))
    list.add(listener)

    for value in 1...3 { list.send(value) }

    #expect(listener.values == [1, 2, 3])
  }

  @Test("A replaying list delivers within demand, and takes up at a request from within a delivery")
  func replays() {
    let list = List("Test", replaying: 0)
    let (modest, eager) = (Listener(demand: .max(1), answering: .max(1)), Listener(demand: .max(1)))
    eager.onValue = { listener, value in
      if value == 0 { listener.request(.max(1)) }
    }
    for listener in [modest, eager] { list.add(listener) }

    list.send(1)
    list.send(2)
    elsewhere { eager.request(.max(1)) }

    #expect(modest.values == [0, 1, 2])
    #expect(eager.values == [0, 1, 2])
  }

  @Test(
    "A replaying list answers another thread's request at once, on that thread, while it delivers to others")
  func replaysMeanwhile() {
    let list = List("Test", replaying: 0)
    let (listener, waiting) = (Listener(), Listener(demand: .none))
    let seen = Journal()
    for listener in [waiting, listener] { list.add(listener) }
    listener.onValue = { _, _ in
      elsewhere { waiting.request(.max(1)) }
      seen.note("\(waiting.values)")
    }

    list.send(1)

    #expect(seen.lines == ["[1]"])
    #expect(waiting.values == [1])
  }

  @Test("A value that is placed within a delivery keeps other threads out until the delivery is over")
  func positions() {
    let (list, others) = (List("Test", replaying: 0), Journal())
    let listener = Listener()
    listener.onValue = { _, value in
      guard value == 1 else { return }
      list.place(2, evenWhenOver: false)
      elsewhere { others.note("\(list.trySend(9))") }
      elsewhere { list.place(3, evenWhenOver: false) }
      list.place(4, evenWhenOver: false)
      others.note("\(listener.values)")
    }
    list.add(listener)

    list.place(1, evenWhenOver: false)
    elsewhere { list.place(5, evenWhenOver: false) }

    #expect(others.lines == ["false", "[0, 1, 2]"])
    #expect(listener.values == [0, 1, 2, 3, 4, 5])
  }
}
