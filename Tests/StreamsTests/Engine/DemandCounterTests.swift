import Streams
import Synchronization
import Testing

@Suite("`DemandCounter`")
struct DemandCounterTests {
  @Test(
    "`DemandCounter` adds demands, up to unlimited",
    arguments: [
      (added: [.none], sum: .none),
      (added: [.max(1), .max(2)], sum: .max(3)),
      (added: [.max(1), .unlimited, .max(1)], sum: .unlimited),
      (added: [.unlimited, .unlimited], sum: .unlimited),
      (added: [.max(.max - 1), .max(1)], sum: .unlimited),
      (added: [.max(.max - 1), .max(.max - 1)], sum: .unlimited),
    ] as [(added: [Subscribers.Demand], sum: Subscribers.Demand)])
  func adds(_ row: (added: [Subscribers.Demand], sum: Subscribers.Demand)) {
    let demandCounter = DemandCounter()

    for demand in row.added { demandCounter.add(demand) }
    let sum = demandCounter.outstanding

    #expect(sum == row.sum)
  }

  @Test("`DemandCounter` spends one value at a time, and no more than its demand")
  func spends() {
    let demandCounter = DemandCounter()
    demandCounter.add(.max(2))

    let spent = [demandCounter.spend(), demandCounter.spend(), demandCounter.spend()]
    let left = demandCounter.outstanding

    #expect(spent == [true, true, false])
    #expect(left == Subscribers.Demand.none)
  }

  @Test("`DemandCounter` never exhausts unlimited demand")
  func spendsUnlimited() {
    let demandCounter = DemandCounter()
    demandCounter.add(.unlimited)

    let spent = [demandCounter.spend(), demandCounter.spend()]
    let isUnlimited = demandCounter.isUnlimited

    #expect(spent == [true, true])
    #expect(isUnlimited)
  }

  @Test("`DemandCounter` counts nothing once it is closed, and closes once")
  func closes() {
    let demandCounter = DemandCounter()
    demandCounter.add(.max(1))

    let endings = [demandCounter.close(), demandCounter.close()]
    let isCounted = demandCounter.add(.max(1))
    let isSpent = demandCounter.spend()
    let isClosed = demandCounter.isClosed
    let left = demandCounter.outstanding

    #expect(endings == [true, false])
    #expect(!isCounted)
    #expect(!isSpent)
    #expect(isClosed)
    #expect(left == Subscribers.Demand.none)
  }

  @Test("`DemandCounter` makes the first requester the sender until all values are sent")
  func raises() {
    let demandCounter = DemandCounter()

    let first = demandCounter.raise(by: .max(2))
    let second = demandCounter.raise(by: .max(1))
    let left = demandCounter.settle(2)
    let third = demandCounter.raise(by: .max(1))
    let rest = demandCounter.settle(2)
    let fourth = demandCounter.raise(by: .max(1))

    #expect(first)
    #expect(!second)
    #expect(left == .max(1))
    #expect(!third)
    #expect(rest == Subscribers.Demand.none)
    #expect(fourth)
  }

  @Test("`DemandCounter` never settles unlimited demand")
  func settlesUnlimited() {
    let demandCounter = DemandCounter()
    _ = demandCounter.raise(by: .unlimited)

    let left = demandCounter.settle(1000)

    #expect(left == .unlimited)
  }

  @Test("`DemandCounter` leaves the cleanup to an active sender")
  func closesWhenIdle() {
    let idle = DemandCounter()
    let sending = DemandCounter()
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

  @Test("`DemandCounter` loses no demand when threads add and spend at the same time")
  func concurrent() {
    let purse = Purse()

    race(
      { for _ in 0..<2000 { purse.demandCounter.add(.max(3)) } },
      { for _ in 0..<2000 { purse.demandCounter.add(.max(1)) } },
      {
        for _ in 0..<2000 where purse.demandCounter.spend() { purse.spent.wrappingAdd(1, ordering: .relaxed) }
      })
    let left = purse.demandCounter.outstanding
    let spent = purse.spent.load(ordering: .relaxed)

    #expect(left == .max(8000 - spent))
  }
}

private final class Purse: Sendable {
  let demandCounter = DemandCounter()
  let spent = Atomic(0)
}
