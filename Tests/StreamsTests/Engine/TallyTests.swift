import Streams
import Synchronization
import Testing

@Suite("Tally")
struct TallyTests {
  @Test(
    "adds up, to unlimited",
    arguments: [
      (added: [.none], sum: .none),
      (added: [.max(1), .max(2)], sum: .max(3)),
      (added: [.max(1), .unlimited, .max(1)], sum: .unlimited),
      (added: [.unlimited, .unlimited], sum: .unlimited),
      (added: [.max(.max - 1), .max(1)], sum: .unlimited),
      (added: [.max(.max - 1), .max(.max - 1)], sum: .unlimited),
    ] as [(added: [Subscribers.Demand], sum: Subscribers.Demand)])
  func adds(_ row: (added: [Subscribers.Demand], sum: Subscribers.Demand)) {
    let tally = Tally()

    for demand in row.added { tally.add(demand) }
    let sum = tally.outstanding

    #expect(sum == row.sum)
  }

  @Test("is spent one by one, and not beyond nothing")
  func spends() {
    let tally = Tally()
    tally.add(.max(2))

    let spent = [tally.spend(), tally.spend(), tally.spend()]
    let left = tally.outstanding

    #expect(spent == [true, true, false])
    #expect(left == Subscribers.Demand.none)
  }

  @Test("is not used up when it is unlimited")
  func spendsUnlimited() {
    let tally = Tally()
    tally.add(.unlimited)

    let spent = [tally.spend(), tally.spend()]
    let isUnlimited = tally.isUnlimited

    #expect(spent == [true, true])
    #expect(isUnlimited)
  }

  @Test("counts nothing after the end, which comes once")
  func closes() {
    let tally = Tally()
    tally.add(.max(1))

    let endings = [tally.close(), tally.close()]
    let isCounted = tally.add(.max(1))
    let isSpent = tally.spend()
    let isClosed = tally.isClosed
    let left = tally.outstanding

    #expect(endings == [true, false])
    #expect(!isCounted)
    #expect(!isSpent)
    #expect(isClosed)
    #expect(left == Subscribers.Demand.none)
  }

  @Test("makes who asks first the sender, until all is sent")
  func raises() {
    let tally = Tally()

    let first = tally.raise(by: .max(2))
    let second = tally.raise(by: .max(1))
    let left = tally.settle(2)
    let third = tally.raise(by: .max(1))
    let rest = tally.settle(2)
    let fourth = tally.raise(by: .max(1))

    #expect(first)
    #expect(!second)
    #expect(left == .max(1))
    #expect(!third)
    #expect(rest == Subscribers.Demand.none)
    #expect(fourth)
  }

  @Test("never settles unlimited demand")
  func settlesUnlimited() {
    let tally = Tally()
    _ = tally.raise(by: .unlimited)

    let left = tally.settle(1000)

    #expect(left == .unlimited)
  }

  @Test("leaves it to the sender to put things away, if there is one")
  func closesWhenIdle() {
    let idle = Tally()
    let sending = Tally()
    _ = sending.raise(by: .max(1))

    let whenIdle = idle.closeWhenIdle()
    let whenSending = sending.closeWhenIdle()
    let left = sending.settle(1)
    let again = idle.closeWhenIdle()

    #expect(whenIdle)
    #expect(!whenSending)
    #expect(left == nil)
    #expect(!again)
  }

  @Test("loses nothing when several add and spend at the same time")
  func concurrent() {
    let purse = Purse()

    race(
      { for _ in 0..<2000 { purse.tally.add(.max(3)) } },
      { for _ in 0..<2000 { purse.tally.add(.max(1)) } },
      { for _ in 0..<2000 where purse.tally.spend() { purse.spent.wrappingAdd(1, ordering: .relaxed) } })
    let left = purse.tally.outstanding
    let spent = purse.spent.load(ordering: .relaxed)

    #expect(left == .max(8000 - spent))
  }
}

private final class Purse: Sendable {
  let tally = Tally()
  let spent = Atomic(0)
}
