import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`throttle`", .leavesNothing)
struct ThrottleTests {
  @Test(
    "`throttle` sends the first value at once, then the latest or first of each interval",
    arguments: [
      (upstream: "1", latest: "1", first: "1"),
      (upstream: "12", latest: "1--2", first: "1--2"),
      (upstream: "1234", latest: "1--3--4", first: "1--2--4"),
      (upstream: "123-5--6", latest: "1--3--5--6", first: "1--2--5--6"),
      (upstream: "1---2", latest: "1---2", first: "1---2"),
      (upstream: "(123)", latest: "3", first: "1"),
    ])
  func paces(_ row: (upstream: String, latest: String, first: String)) throws {
    #expect(try line(row.upstream, latest: true) == row.latest)
    #expect(try line(row.upstream, latest: false) == row.first)
  }

  @Test(
    "`throttle` ends with its waiting value, or at once if there is none",
    arguments: [("12|", "1--(2|)"), ("12#", "1--(2#)"), ("1|", "1|"), ("|", "|"), ("#", "#")])
  func ends(_ upstream: String, _ expected: String) throws {
    #expect(try line(upstream, latest: true) == expected)
  }

  private func line(_ upstream: String, latest: Bool, demand: Subscribers.Demand = .unlimited) throws
    -> String
  {
    try Marble(upstream).play(demand: demand) { $0.throttle(for: 3, scheduler: $1, latest: latest) }
  }
}
