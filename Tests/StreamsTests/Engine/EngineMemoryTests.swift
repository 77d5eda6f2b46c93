#if canImport(Glibc)
  import Streams
  import TestSupport
  import Testing

  // In processes of their own with one heap: what tests beside them take would be counted.
  @Suite(
    "Memory of the engine", .enabled(if: !isSanitized, "a sanitizer has a heap of its own"), .leavesNothing)
  struct EngineMemoryTests {
    @Test("The memory of a subject does not depend on how many subscribers have come and gone")
    func subscribers() async {
      await #expect(processExitsWith: .success) {
        precondition(Growth.bytes { Crowd(passing: $0) } < 1_000)
      }
    }

    @Test("The memory of a subject does not depend on how many subscribers have left inside a value")
    func subscribersInside() async {
      await #expect(processExitsWith: .success) {
        precondition(Growth.bytes { Crowd(passing: $0, insideValues: true) } < 1_000)
      }
    }

    @Test("The memory of a recursive concatenation does not depend on how many pages have ended")
    func pages() async {
      await #expect(processExitsWith: .success) { precondition(Growth.bytes { Pages(turned: $0) } < 1_000) }
    }

    @Test("The memory of an operator does not depend on how many of its upstreams have ended")
    func upstreams() async {
      await #expect(processExitsWith: .success) { precondition(Growth.bytes { Switch(over: $0) } < 1_000) }
    }

    @Test("The measurement detects memory that grows with what has come and gone")
    func grows() async {
      await #expect(processExitsWith: .success) { precondition(Growth.bytes { Hoard($0) } > 1_000) }
    }
  }

  private enum Growth {
    /// How much more memory an object takes that has seen a thousand of something than one that has seen ten.
    static func bytes(_ make: (Int) -> AnyObject) -> Int {
      Heap.useOneArena()
      var kept: [AnyObject] = []
      kept.reserveCapacity(1_000)
      let few = Heap.leaked(each: 10) { kept.append(make(10)) }
      let many = Heap.leaked(each: 10) { kept.append(make(1_000)) }
      withExtendedLifetime(kept) {}
      return many - few
    }
  }

  /// A subject whose subscribers follow each other: each joins before the one before it leaves.
  private final class Crowd {
    private let subject = PassthroughSubject<Int, Never>()
    private var last: AnyCancellable?

    init(passing count: Int, insideValues: Bool = false) {
      for _ in 0..<count {
        let next = subject.sink { [unowned self] _ in if insideValues { last = nil } }
        if insideValues { subject.send(1) }
        last = next
      }
    }
  }

  /// A concatenation that has gone through so many pages, each of which appends the next.
  private final class Pages {
    private var current = PassthroughSubject<Int, Never>()
    private var sink: AnyCancellable?

    init(turned count: Int) {
      sink = page().sink { _ in }
      for _ in 0..<count { current.send(completion: .finished) }
    }

    private func page() -> AnyPublisher<Int, Never> {
      current = PassthroughSubject()
      return current.append(Deferred { [unowned self] in page() }).eraseToAnyPublisher()
    }
  }

  /// A stream that has switched so many times, to children of which every other one has ended.
  private final class Switch {
    private let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    private var sink: AnyCancellable?

    init(over count: Int) {
      sink = outer.switchToLatest().sink { _ in }
      for number in 0..<count {
        let child = PassthroughSubject<Int, Never>()
        outer.send(child)
        if number % 2 == 0 { child.send(completion: .finished) }
      }
    }
  }

  private final class Hoard {
    private let numbers: [Int]

    init(_ count: Int) { numbers = Array(0..<count) }
  }
#endif
