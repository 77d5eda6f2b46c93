import StreamImages
import Testing

@Suite struct CurlConnectionTests {
  private func connection() throws -> CurlConnection {
    CurlConnection(7, to: try #require(Origin(URIReference("https://a.example"))))
  }

  @Test("A connection adds up what arrives, until it is looked at")
  func news() throws {
    let connection = try connection()
    #expect(!connection.hasDelivered && connection.streamCount == 0)

    connection.deliver(3, at: .now)
    connection.deliver(4, at: .now)
    connection.announce(10, after: .seconds(3))
    connection.announce(nil, after: .seconds(2))
    connection.announce(20, after: .seconds(4))

    #expect(connection.hasDelivered)
    #expect(
      connection.takeNews()
        == StreamWindow.Sample(
          byteCount: 7, announcedByteCount: 30, announcementCount: 2, roundTrip: .seconds(2)))
    #expect(connection.takeNews() == StreamWindow.Sample())
  }

  @Test("A connection is busy from the first load that it has until it has none")
  func busy() throws {
    let connection = try connection()
    let made = connection.busySince

    connection.streamCount = 1
    let first = connection.busySince
    connection.streamCount = 2
    connection.streamCount = 1
    #expect(made < first && connection.busySince == first)
    connection.streamCount = 0
    #expect(connection.busySince == first)
    connection.streamCount = 1
    #expect(first < connection.busySince)
  }

  @Test("A load waits from its last bytes, those of others, and other frames for two more timeouts at most")
  func deadline() throws {
    let connection = try connection()
    let start = connection.deliveredAt
    func deadline(since seconds: Int) -> Duration {
      start.duration(to: connection.deadline(from: start + .seconds(seconds), .seconds(10)))
    }

    #expect(deadline(since: -5) == .seconds(10))
    #expect(deadline(since: 3) == .seconds(13))
    for (heard, end) in [(2, 13), (3, 13), (4, 14), (22, 32), (23, 33), (24, 33), (1_000, 33)] {
      connection.heardAt = start + .seconds(heard)
      #expect(deadline(since: 3) == .seconds(end))
    }
    connection.deliver(1, at: start + .seconds(5))
    connection.heardAt = start
    #expect(deadline(since: 3) == .seconds(15))
    #expect(deadline(since: 6) == .seconds(16))
  }
}
