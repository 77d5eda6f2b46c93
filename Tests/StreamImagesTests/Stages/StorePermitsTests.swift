import StreamImages
import StreamsTesting
import Testing

@Suite("Permits to store", .timeLimit(.minutes(1)))
struct StorePermitsTests {
  private func isAllowed(_ permit: StorePermit<String?>, _ place: String) -> Bool {
    var isAllowed = false
    permit.write(to: place) { isAllowed = true }
    return isAllowed
  }

  @Test("A removal revokes earlier permits for its places only, and one of all places for all")
  func revoking() async {
    let permits = StorePermits<String?>()
    let old = permits.permit()
    #expect(isAllowed(old, "a") && permits.lastRemoval(of: { ["a"] }) == nil)

    await permits.revoke(["a", "b"])
    let new = permits.permit()

    #expect(["a", "b", "c"].map { isAllowed(old, $0) } == [false, false, true])
    #expect(["a", "b", "c"].map { isAllowed(new, $0) } == [true, true, true])
    #expect(permits.lastRemoval(of: { ["a"] }) != nil && permits.lastRemoval(of: { ["c"] }) == nil)
    let first = permits.lastRemoval(of: { ["a", "c"] })
    await permits.revoke([nil])
    #expect(["a", "c"].map { isAllowed(new, $0) } == [false, false] && isAllowed(permits.permit(), "a"))
    #expect(permits.lastRemoval(of: { ["c"] })! > first!)
  }

  @Test("Nothing is stored in a place while it is cleared, nor later by who began meanwhile")
  func clearing() async {
    for place in ["a", nil] {
      let permits = StorePermits<String?>()
      let before = permits.lastRemoval(of: { ["a"] })
      var (during, number): (StorePermit<String?>?, UInt64?) = (nil, nil)

      await permits.remove([place]) {
        // Two at once: the end of one is not that of the other.
        await permits.remove([place]) {}
        during = permits.permit()
        number = permits.lastRemoval(of: { ["a"] })
        #expect(!isAllowed(during!, "a") && isAllowed(during!, "b") == (place != nil))
      }

      #expect(!isAllowed(during!, "a") && isAllowed(permits.permit(), "a"))
      #expect(before == nil && number! < permits.lastRemoval(of: { ["a"] })!)
    }
  }

  @Test("A removal waits for a write that began before, and not for later ones")
  func waiting() async {
    let permits = StorePermits<String?>()
    let (begun, goOn, isRemoved) = (Latch(), Latch(), Shared(false))
    let writing = Task {
      await permits.permit().write(to: "a") {
        begun.open()
        await goOn.wait()
      }
    }
    await begun.wait()

    let removal = Task {
      await permits.revoke(["a"])
      isRemoved.change { $0 = true }
    }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(!isRemoved.value)
    goOn.open()
    await writing.value
    await removal.value

    #expect(isAllowed(permits.permit(), "a"))
  }

  /// A place that counts how often it is compared and hashed.
  private struct Counted: Hashable, Sendable {
    static let count = Shared(0)

    let number: Int

    static func == (left: Counted, right: Counted) -> Bool {
      count.change { $0 += 1 }
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      Self.count.change { $0 += 1 }
      hasher.combine(number)
    }
  }

  @Test(
    "The work of a removal, and of a write, does not grow with the loads in flight and with other removals")
  func growth() async {
    func work(_ count: Int) async -> Double {
      let permits = StorePermits<Counted> { _ in Counted(number: -1) }
      let waiting = (0..<count).map { _ in permits.permit() }
      Counted.count.change { $0 = 0 }
      for number in 0..<count { await permits.remove([Counted(number: number)]) {} }
      for (number, permit) in waiting.enumerated() { permit.write(to: Counted(number: -number - 2)) {} }
      return Double(Counted.count.value) / Double(count)
    }

    let (few, many) = (await work(100), await work(10_000))

    #expect(many < 2 * few, "\(few) \(many)")
  }

  @Test(
    "Removals are forgotten after a thousand, and nothing is stored by who began before the last of those")
  func memory() async {
    let permits = StorePermits<String?>()
    let old = permits.permit()
    for number in 0..<1_000 { await permits.revoke(["\(number)"]) }
    #expect(permits.removalCount == 1_000 && !isAllowed(old, "7") && isAllowed(old, "a"))

    let new = permits.permit()
    await permits.revoke(["b"])

    #expect(permits.removalCount == 1 && ["7", "a"].map { isAllowed(old, $0) } == [false, false])
    #expect(!isAllowed(new, "a") && isAllowed(permits.permit(), "7"))
    #expect(permits.lastRemoval(of: { ["a"] }) == permits.lastRemoval(of: { ["b"] }))
    for number in 0..<10_000 { await permits.revoke(["\(number)"]) }
    #expect(permits.removalCount <= 1_000)
  }

  @Test("A removal in progress is not forgotten")
  func runningMemory() async {
    let permits = StorePermits<String?>()
    await permits.remove(["a"]) {
      for number in 0..<2_000 { await permits.revoke(["\(number)"]) }
      #expect(!isAllowed(permits.permit(), "a") && isAllowed(permits.permit(), "b"))
    }
    #expect(isAllowed(permits.permit(), "a"))
  }
}
