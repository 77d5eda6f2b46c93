import StreamImages
import Testing

@Suite struct CurlConnectionTests {
  @Test("A connection is known by what it has delivered")
  func delivered() {
    let connection = CurlConnection(7)
    let start = connection.deliveredAt
    #expect(!connection.hasDelivered && connection.streamCount == 0)
    #expect(connection.heardAt == start)

    connection.deliver(at: start + .seconds(3))

    #expect(connection.hasDelivered && connection.deliveredAt == start + .seconds(3))
  }

  @Test("A load waits from its last bytes, those of others, and other frames for two more timeouts at most")
  func deadline() {
    let connection = CurlConnection(7)
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
    connection.deliver(at: start + .seconds(5))
    connection.heardAt = start
    #expect(deadline(since: 3) == .seconds(15))
    #expect(deadline(since: 6) == .seconds(16))
  }
}
