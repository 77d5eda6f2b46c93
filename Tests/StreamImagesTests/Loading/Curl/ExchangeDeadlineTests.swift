import CTransport
import Foundation
import StreamImages
import Testing

/// The deadlines of a load, in each stage of its hop.
@Suite("Deadlines of a load") struct ExchangeDeadlineTests {
  @Test("Each stage of a hop has its own deadline, from when it began, and no hop has none")
  func stages() throws {
    let load = try ScriptedExchange("http://a.example/x", buffered: 4)
    #expect(load.deadline == nil && load.wholeEnd == nil && !load.exchange.hop.isSent)

    try load.begin()
    #expect(load.deadline == .seconds(3) && load.phase == .connect)
    #expect(load.wholeEnd == .seconds(60))
    #expect(load.connect())
    #expect(load.deadline == .seconds(3) && !load.exchange.hop.isSent)

    let before = load.start.duration(to: .now)
    load.send()
    let after = load.start.duration(to: .now)
    let deadline = try #require(load.deadline)
    #expect(before + .seconds(5) <= deadline && deadline <= after + .seconds(5))
    #expect(load.phase == .firstByte && load.exchange.hop.isSent)

    #expect(load.line("HTTP/1.1 200 OK"))
    #expect(load.phase == .firstByte)
    load.head("Content-Length: 100")
    #expect(load.phase == .idle)
    load.body(3, at: load.at(2))
    #expect(load.deadline == .seconds(9) && load.phase == .idle)
    load.body(1, at: load.at(3))
    #expect(load.deadline == .seconds(60) && load.phase == .total && load.exchange.hop.isSent)

    load.exchange.endHop()
    #expect(load.deadline == nil && load.wholeEnd == .seconds(60))
  }

  @Test("A load waits for a connection only if there is another load that may be making one")
  func waiting() throws {
    for (waits, turn, isWaiting) in [
      (false, 0, false), (false, 1, false), (true, 0, false), (true, 1, true), (true, 2, true),
    ] {
      let load = try ScriptedExchange()
      #expect(!load.exchange.hop.isWaitingForConnection)
      try load.begin(mayShare: true, waits: waits, turn: turn, at: load.at(-100))

      #expect(load.exchange.hop.isWaitingForConnection == isWaiting)
      // No time runs while it waits, but four times the limit is the end of that, too.
      #expect(load.deadline == .seconds(isWaiting ? 140 : -97))
      #expect(load.phase == (isWaiting ? .total : .connect))
      #expect(load.exchange.hop.attemptBeganAt == load.at(-100))

      // Its own attempt begins when it connects.
      #expect(load.connect())
      let began = load.exchange.hop.attemptBeganAt
      #expect((began >= load.start) == isWaiting)
      #expect(load.exchange.end == (isWaiting ? began : load.at(-100)) + .seconds(60))
      #expect(!load.exchange.hop.isWaitingForConnection && !load.exchange.hop.isSent)
      load.exchange.endHop()
      #expect(!load.exchange.hop.isWaitingForConnection)
    }
  }

  @Test("A load that has begun to connect has the time for it, from that moment")
  func connecting() throws {
    let load = try ScriptedExchange()
    try load.begin(mayShare: true, waits: true, turn: 1)
    #expect(load.phase == .total)

    #expect(load.connect())

    let began = load.exchange.hop.attemptBeganAt
    #expect(load.exchange.deadline?.at == began + .seconds(3) && load.phase == .connect)
  }

  @Test("Over TLS, what the connection receives for others moves a deadline, and otherwise it does not")
  func others() throws {
    for (url, mayShare, counts) in [
      ("https://a.example/x", false, true), ("https://a.example/x", true, true),
      ("http://a.example/x", false, false),
    ] {
      let load = try ScriptedExchange(url)
      try load.begin(mayShare: mayShare)
      load.send()
      let alone = try #require(load.deadline)

      load.exchange.connection?.deliver(at: load.at(20))
      #expect(load.deadline == (counts ? .seconds(25) : alone))
      load.head("HTTP/1.1 200 OK")
      load.body(1, at: load.at(2))
      #expect(load.deadline == .seconds(9))
      load.exchange.connection?.deliver(at: load.at(20))
      #expect(load.deadline == .seconds(counts ? 27 : 9))
    }
  }

  @Test(
    "The time for the whole begins when a shared connection last served others, and ends after four times it")
  func whole() throws {
    for mayShare in [false, true] {
      let load = try ScriptedExchange()
      try load.begin(mayShare: mayShare)
      #expect(load.wholeEnd == .seconds(60))
      load.send()
      let connection = try #require(load.exchange.connection)
      for (second, end) in [(-50, 60), (0, 60), (1, 61), (100, 160), (180, 240), (181, 240), (1_000, 240)] {
        connection.deliver(at: load.at(Double(second)))
        #expect(load.wholeEnd == .seconds(mayShare ? end : 60))
      }

      // A body that has begun needs no patience.
      load.head("HTTP/2 200")
      load.body(1, at: load.at(50))
      load.body(1, at: load.at(70))
      connection.deliver(at: load.at(100))
      #expect(load.wholeEnd == .seconds(mayShare ? 110 : 60))
    }
  }

  @Test("The earlier of two deadlines is named with its phase")
  func earlier() throws {
    for (total, deadline, phase) in [
      (2, 2, .total), (4, 3, .connect),
    ] as [(Int, Int, DataLoadingError.Phase)] {
      let load = try ScriptedExchange { _, limits in limits.totalTimeout = .seconds(total) }
      try load.begin()

      #expect(load.deadline == .seconds(deadline) && load.phase == phase)
    }
  }

  @Test("A load is looked at once when its deadline may be earlier, and not for further bytes")
  func moved() throws {
    let load = try ScriptedExchange("http://a.example/x")
    func moves() -> Int {
      var count = 0
      load.events.drainMoved { exchange in
        exchange.hasMoved = false
        count += 1
      }
      return count
    }
    #expect(moves() == 0 && !load.exchange.hasMoved)
    try load.begin()
    _ = load.connect()
    load.send()
    #expect(load.exchange.hasMoved)
    #expect(moves() == 1)
    load.head("HTTP/1.1 200 OK")
    #expect(moves() == 1)
    load.body(1)
    load.body(1)
    #expect(moves() == 0 && !load.exchange.hasMoved)
  }

  @Test("A transfer that is paused and resumed is idle from then on")
  func resumed() async throws {
    let load = try ScriptedExchange("http://a.example/x", buffered: 4)
    try load.begin()
    load.send()
    load.head("HTTP/1.1 200 OK")
    load.exchange.resume()
    load.body(4, at: load.at(-100))
    #expect(load.phase == .total)

    load.exchange.flush()
    #expect(load.phase == .total && load.source.resumed.value == 0)
    #expect(try await load.pipe.next()?.count == 4)
    #expect(load.source.resumed.value == 1)
    load.exchange.resume()

    let deadline = try #require(load.deadline)
    #expect(.seconds(7) <= deadline && deadline <= load.start.duration(to: .now) + .seconds(7))
    #expect(load.phase == .idle)
  }

  @Test("A transfer that was paused at once is resumed by its flush if a consumer waits for the bytes")
  func flushed() async throws {
    let executor = SteppedExecutor()
    let load = try ScriptedExchange("http://a.example/x", buffered: 4)
    let pipe = load.pipe
    try load.begin()
    load.send()
    load.head("HTTP/1.1 200 OK")
    let task = Task(executorPreference: executor) {
      await failure { () throws(DataLoadingError) in try await pipe.next() }
    }
    executor.run()
    load.body(4)
    #expect(load.phase == .total && load.exchange.isDirty)

    load.events.notifyConsumers()
    executor.run()

    #expect(load.phase == .idle && !load.exchange.isDirty)
    #expect(await task.value == nil)
  }

  @Test("A load that gets room on a connection begins when its request is sent")
  func room() throws {
    let load = try ScriptedExchange("http://a.example/x")
    try load.begin(mayShare: true, waits: true, turn: 1, at: load.at(-100))
    #expect(load.wholeEnd == .seconds(140))

    let before = load.start.duration(to: .now)
    load.send()

    let end = try #require(load.exchange.end)
    #expect(
      before + .seconds(60) <= load.start.duration(to: end) && !load.exchange.hop.isWaitingForConnection)
  }

  @Test("The body of a redirect has a second at most, whatever arrives of it, and less if the limit is less")
  func discarding() throws {
    for (idle, total, deadline, phase) in [
      (7, 60, 1.0, .idle), (0.5, 60, 0.5, .idle), (7, 0.25, 0.25, .total),
    ] as [(Double, Double, Double, DataLoadingError.Phase)] {
      let load = try ScriptedExchange.sent("http://a.example/x") { _, limits in
        (limits.idleTimeout, limits.totalTimeout) = (.seconds(idle), .seconds(total))
      }
      #expect(!load.exchange.hop.isDiscarding)
      let before = load.start.duration(to: .now)
      load.head("HTTP/1.1 302 Found", "Location: /y", "Content-Length: 10")
      let after = load.start.duration(to: .now)
      #expect(load.exchange.hop.isDiscarding && load.exchange.hop.isSent && load.phase == phase)
      let first = try #require(load.deadline)
      let base: ClosedRange<Duration> = phase == .total ? .zero ... .zero : before...after
      #expect(base.lowerBound + .seconds(deadline) <= first && first <= base.upperBound + .seconds(deadline))

      load.body(3, at: load.at(50))

      #expect(load.deadline == first)
    }
  }
}
