import StreamImages
import Testing

@Suite struct LoopEventsTests {
  private let origin = Origin(URIReference("https://a.example"))!
  private let other = Origin(URIReference("https://b.example"))!

  @Test("Origins are taken once, if something has happened with one of them")
  func origins() {
    let events = LoopEvents()
    #expect(events.takeOrigins() == nil)

    events.add(origin, speaksHTTP2: true)
    events.add(origin, speaksHTTP2: false)
    #expect(events.takeOrigins().map { $0.answered } == [origin: false])
    events.add(connectingTo: origin)
    #expect(events.takeOrigins().map { $0.connectingTo } == [origin])
    events.add(reached: other)
    #expect(events.takeOrigins().map { $0.reached } == [other])
    #expect(events.takeOrigins() == nil)

    events.add(origin, speaksHTTP2: true)
    events.add(connectingTo: other)
    events.add(reached: origin)
    let all = events.takeOrigins()
    #expect(all?.answered == [origin: true] && all?.connectingTo == [other] && all?.reached == [origin])
    #expect(events.takeOrigins() == nil)
  }

  @Test("A connection is found by its number, and one without a number is not known")
  func connections() {
    let events = LoopEvents()
    let first = events.connection(1, to: origin)

    #expect(events.connection(0, to: origin) == nil)
    #expect(first != nil && events.connection(1, to: origin) === first)
    #expect(events.connection(2, to: other)?.origin == other)
    #expect(events.connections.count == 2)
  }

  @Test("The next one after 256 connections takes the place of those that no load uses")
  func many() {
    let events = LoopEvents()
    for number in 1...255 {
      events.connection(Int64(number), to: origin)?.streamCount = number <= 3 ? number - 1 : 0
    }
    _ = events.connection(256, to: origin)
    #expect(events.connections.count == 256)

    _ = events.connection(257, to: origin)

    #expect(events.connections.keys.sorted() == [2, 3, 257])
  }
}
