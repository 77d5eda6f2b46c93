import CTransport
import Foundation
import StreamImages
import Testing

@Suite struct LoopEventsTests {
  private let origin = Origin(URIReference("https://a.example"))!
  private let other = Origin(URIReference("https://b.example"))!

  @Test("Origins are taken once, if something has happened with one of them")
  func origins() {
    let events = LoopEvents()
    #expect(events.takeOrigins() == [:])

    events.add(origin, speaksHTTP2: true)
    events.add(origin, speaksHTTP2: false)
    #expect(events.takeOrigins() == [origin: false])
    events.add(other)
    #expect(events.takeOrigins() == [other: nil])
    #expect(events.takeOrigins() == [:])

    events.add(origin, speaksHTTP2: true)
    events.add(origin)
    #expect(events.takeOrigins() == [origin: true])
    #expect(events.takeOrigins() == [:])
  }

  @Test("A connection is found by its number, and one without a number is not known")
  func connections() {
    let events = LoopEvents()
    let first = events.connection(1)

    #expect(events.connection(0) == nil)
    #expect(first != nil && events.connection(1) === first)
    #expect(events.connection(2) !== first)
    #expect(events.connections.count == 2)
  }

  @Test("The next one after 256 connections takes the place of those that no load uses")
  func many() {
    let events = LoopEvents()
    for number in 1...255 {
      events.connection(Int64(number))?.streamCount = number <= 3 ? number - 1 : 0
    }
    _ = events.connection(256)
    #expect(events.connections.count == 256)

    _ = events.connection(257)

    #expect(events.connections.keys.sorted() == [2, 3, 257])
  }

  /// Loads with a response for their consumers.
  private func loads(_ events: LoopEvents, _ count: Int) throws -> [CurlExchange] {
    let chain = try RedirectChain(DataRequest(url: URL(string: "https://a.example/x")!), limits: LoadLimits())
    return (0..<count).map { _ in
      CurlExchange(chain, BodyPipe(of: CountingSource(), bufferedByteCount: 10), events, .any)
    }
  }

  private func answer(_ exchange: CurlExchange) {
    for line in ["HTTP/2 200\r\n", "\r\n"] {
      let callbacks = exchange.callbacks
      _ = line.withCString { callbacks.head_line(callbacks.context, $0, line.utf8.count) }
    }
  }

  @Test("A turn is empty until a load ends or has something for its consumer, and after all were notified")
  func emptiness() throws {
    for (dirty, ended) in [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (2, 2)] {
      let events = LoopEvents()
      let loads = try loads(events, dirty + ended)
      for load in loads[..<dirty] { answer(load) }
      for load in loads[dirty...] { events.add(ended: load, nil) }
      #expect(events.isEmpty == (dirty + ended == 0))

      events.notifyConsumers()

      #expect(events.isEmpty && loads.allSatisfy { !$0.isDirty })
    }
  }

  @Test("The bytes of a load that has ended are delivered with its end, and those of others before")
  func ended() async throws {
    let events = LoopEvents()
    let loads = try loads(events, 3)
    for load in loads { answer(load) }
    events.add(ended: loads[1], nil)
    events.add(ended: loads[2], .timedOut(.idle))

    events.notifyConsumers()

    // Only the first one was flushed.
    #expect(loads.map(\.isDirty) == [false, true, true])
    #expect(try await loads[1].pipe.whole().body.isEmpty)
    let pipe = loads[2].pipe
    #expect(await failure { () throws(DataLoadingError) in try await pipe.whole() } == .timedOut(.idle))
    events.notifyConsumers()
    #expect(events.isEmpty)
  }

  @Test("Each load whose deadline has moved is looked at, once")
  func moved() throws {
    let events = LoopEvents()
    let loads = try loads(events, 3)
    for load in loads { events.add(moved: load) }
    var seen: [CurlExchange] = []

    events.drainMoved { seen.append($0) }
    events.drainMoved { seen.append($0) }

    #expect(seen == loads)
  }
}
