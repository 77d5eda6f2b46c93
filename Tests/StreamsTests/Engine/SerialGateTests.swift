import Streams
import Synchronization
import Testing

@Suite("`SerialGate`")
struct SerialGateTests {
  @Test("`SerialGate` admits the first caller, and recognizes nested entries")
  func nested() {
    let gate = SerialGate()

    let first = gate.enter()
    let second = gate.enter()
    let isOut = gate.leave()
    let third = gate.enter()

    #expect(first == .entered)
    #expect(second == .nested)
    #expect(isOut)
    #expect(third == .entered)
  }

  @Test("`SerialGate` is busy for other threads until it is left")
  func busy() {
    let place = Place()

    _ = place.gate.enter()
    elsewhere { place.note(place.gate.enter() == .busy) }
    _ = place.gate.leave()
    elsewhere { place.note(place.gate.enter() == .entered) }

    #expect(place.notes == [true, true])
  }

  @Test("`SerialGate` keeps its owner inside until all notifications are handled")
  func knocks() {
    let place = Place()

    _ = place.gate.enter()
    elsewhere { place.note(place.gate.notify()) }
    elsewhere { place.note(place.gate.notify()) }
    let isOut = place.gate.leave()
    let isStillInside = place.gate.enter() == .nested
    let isOutAfterTheMail = place.gate.leave()

    #expect(place.notes == [false, false])
    #expect(!isOut)
    #expect(isStillInside)
    #expect(isOutAfterTheMail)
  }

  @Test("`SerialGate` admits a notifier if no thread is inside")
  func knocksAtAnEmptyGate() {
    let gate = SerialGate()

    let isInside = gate.notify()
    let entry = gate.enter()
    let isOut = gate.leave()

    #expect(isInside)
    #expect(entry == .nested)
    #expect(isOut)
  }

  @Test("`SerialGate` admits one thread at a time, and loses no queued work")
  func serialises() {
    let core = OperatorCore()

    race(
      { for _ in 0..<2000 { core.post() } },
      { for _ in 0..<2000 { core.post() } },
      { for _ in 0..<2000 { core.post() } })

    #expect(core.handled == 6000)
  }
}

private final class Place: Sendable {
  let gate = SerialGate()
  private let list = Guarded<[Bool]>([])

  var notes: [Bool] { list.withLock { $0 } }
  func note(_ note: Bool) { list.withLock { $0.append(note) } }
}

/// A mailbox behind a gate. Its count is plain: the gate protects it.
private final class OperatorCore: @unchecked Sendable {
  private let gate = SerialGate()
  private let letters = Guarded(0)
  private(set) var handled = 0

  func post() {
    letters.withLock { $0 += 1 }
    switch gate.enter() {
    case .nested: return
    case .entered: break
    case .busy: if !gate.notify() { return }
    }
    repeat { handleAll() } while !gate.leave()
  }

  private func handleAll() {
    while letters.withLock({ count in
      defer { count = max(0, count - 1) }
      return count > 0
    }) { handled += 1 }
  }
}
