import Synchronization

/// A value that is made when it is first asked for.
final class LazyValue: @unchecked Sendable {
  private let isMade = Atomic<Bool>(false)
  private let lock = Mutex(())
  private var value: [Int] = []
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func get() -> Int {
    let isThere = isWrong ? isMade.load(ordering: .relaxed) : isMade.load(ordering: .acquiring)
    if !isThere {
      lock.withLock { _ in
        if isMade.load(ordering: .relaxed) { return }
        value = [1, 2, 3]
        isMade.store(true, ordering: .releasing)
      }
    }
    return value[1]
  }
}

/// Treiber's stack of nodes that are used again.
final class TreiberStack: @unchecked Sendable {
  private struct Node: ~Copyable {
    let next = Atomic<Int>(0)
  }

  private let nodes: UnsafeMutablePointer<Node>
  /// The node on top, and in the upper half how often it has changed.
  private let top = Atomic<Int>(0)
  private let isWrong: Bool

  init(isWrong: Bool, _ nodes: Int...) {
    self.isWrong = isWrong
    self.nodes = .allocate(capacity: 4)
    for index in 0..<4 { (self.nodes + index).initialize(to: Node()) }
    for node in nodes { push(node) }
  }

  deinit {
    nodes.deinitialize(count: 4)
    nodes.deallocate()
  }

  private static let one = 1 << 32
  private func follower(of old: Int, _ node: Int) -> Int {
    isWrong ? node : (old & ~(Self.one - 1)) + Self.one + node
  }
  private func node(_ top: Int) -> Int { top & (Self.one - 1) }

  func push(_ node: Int) {
    var old = top.load(ordering: .relaxed)
    while true {
      nodes[node].next.store(self.node(old), ordering: .relaxed)
      let result = top.compareExchange(
        expected: old, desired: follower(of: old, node), successOrdering: .releasing,
        failureOrdering: .relaxed)
      if result.exchanged { return }
      old = result.original
    }
  }

  func pop() -> Int {
    var old = top.load(ordering: .acquiring)
    while node(old) != 0 {
      let next = nodes[node(old)].next.load(ordering: .relaxed)
      let result = top.compareExchange(
        expected: old, desired: follower(of: old, next), ordering: .acquiringAndReleasing)
      if result.exchanged { return node(old) }
      old = result.original
    }
    return 0
  }
}

/// A value of several words that readers take without a lock.
final class SequenceLock: Sendable {
  private let sequence = Atomic<Int>(0)
  private let a = Atomic<Int>(0)
  private let b = Atomic<Int>(0)
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func write(_ value: Int) {
    let old = sequence.load(ordering: .relaxed)
    sequence.store(old + 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    a.store(value, ordering: .relaxed)
    b.store(value, ordering: .relaxed)
    sequence.store(old + 2, ordering: .releasing)
  }

  func read() -> (Int, Int)? {
    let before = sequence.load(ordering: .acquiring)
    if before % 2 == 1 { return nil }
    let pair = (a.load(ordering: .relaxed), b.load(ordering: .relaxed))
    if !isWrong { atomicMemoryFence(ordering: .acquiring) }
    return sequence.load(ordering: .relaxed) == before ? pair : nil
  }
}

/// A ring between one writer and one reader.
final class Ring: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<Int>
  private let written = Atomic<Int>(0)
  private let read = Atomic<Int>(0)
  private let isWrong: Bool

  init(isWrong: Bool) {
    self.isWrong = isWrong
    slots = .allocate(capacity: 2)
    slots.initialize(repeating: 0, count: 2)
  }

  deinit { slots.deallocate() }

  func write(_ value: Int) -> Bool {
    let position = written.load(ordering: .relaxed)
    if position - read.load(ordering: .acquiring) == 2 { return false }
    slots[position % 2] = value
    if isWrong {
      written.store(position + 1, ordering: .relaxed)
    } else {
      written.store(position + 1, ordering: .releasing)
    }
    return true
  }

  func take() -> Int? {
    let position = read.load(ordering: .relaxed)
    if written.load(ordering: .acquiring) == position { return nil }
    let value = slots[position % 2]
    read.store(position + 1, ordering: .releasing)
    return value
  }
}

/// The deque of Chase and Lev: its owner takes from one end, thieves from the other.
final class WorkDeque: Sendable {
  private let top = Atomic<Int>(0)
  private let bottom: Atomic<Int>
  private let isWrong: Bool

  /// With the items 1 to `count`.
  init(isWrong: Bool, count: Int) {
    self.isWrong = isWrong
    bottom = Atomic(count)
  }

  func pop() -> Int? {
    let last = bottom.load(ordering: .relaxed) - 1
    bottom.store(last, ordering: .relaxed)
    if !isWrong { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    let first = top.load(ordering: .relaxed)
    if first < last { return last + 1 }
    defer { bottom.store(last + 1, ordering: .relaxed) }
    if first > last { return nil }
    let isMine = top.compareExchange(expected: first, desired: first + 1, ordering: .sequentiallyConsistent)
      .exchanged
    return isMine ? last + 1 : nil
  }

  func steal() -> Int? {
    let first = top.load(ordering: .acquiring)
    if !isWrong { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    let last = bottom.load(ordering: .acquiring)
    if first >= last { return nil }
    return top.compareExchange(expected: first, desired: first + 1, ordering: .sequentiallyConsistent)
      .exchanged
      ? first + 1 : nil
  }
}

/// Memory that its last user gives back.
struct CountedMemory: @unchecked Sendable {
  private struct Block: ~Copyable {
    let users = Atomic<Int>(2)
    var value = 0
  }

  private let block: UnsafeMutablePointer<Block>
  private let isWrong: Bool

  init(isWrong: Bool) {
    self.isWrong = isWrong
    block = .allocate(capacity: 1)
    block.initialize(to: Block())
  }

  func use() { _ = block.pointee.value }

  func leave() {
    let old =
      isWrong
      ? block.pointee.users.subtract(1, ordering: .relaxed).oldValue
      : block.pointee.users.subtract(1, ordering: .acquiringAndReleasing).oldValue
    if old == 1 {
      block.deinitialize(count: 1)
      block.deallocate()
    }
  }
}

/// The queue of Michael and Scott, of nodes that are used again. An index has in its upper half how often it has changed.
final class LinkedQueue: @unchecked Sendable {
  private struct Node: ~Copyable {
    let next = Atomic<Int>(0)
    let value = Atomic<Int>(0)
  }

  private let nodes: UnsafeMutablePointer<Node>
  private let head = Atomic<Int>(1)
  private let tail = Atomic<Int>(1)
  private let isWrong: Bool

  init(isWrong: Bool) {
    self.isWrong = isWrong
    nodes = .allocate(capacity: 4)
    for index in 0..<4 { (nodes + index).initialize(to: Node()) }
  }

  deinit {
    nodes.deinitialize(count: 4)
    nodes.deallocate()
  }

  private static let one = 1 << 32
  private func index(_ link: Int) -> Int { link & (Self.one - 1) }
  private func link(_ old: Int, _ node: Int) -> Int { (old & ~(Self.one - 1)) + Self.one + node }

  func append(_ value: Int, in node: Int) {
    nodes[node].value.store(value, ordering: .sequentiallyConsistent)
    let last = nodes[node].next.load(ordering: .sequentiallyConsistent)
    nodes[node].next.store(link(last, 0), ordering: .sequentiallyConsistent)
    while true {
      let end = tail.load(ordering: .sequentiallyConsistent)
      let next = nodes[index(end)].next.load(ordering: .sequentiallyConsistent)
      if !isWrong, tail.load(ordering: .sequentiallyConsistent) != end { continue }
      if index(next) != 0 {
        _ = tail.compareExchange(
          expected: end, desired: link(end, index(next)), ordering: .sequentiallyConsistent)
      } else if nodes[index(end)].next.compareExchange(
        expected: next, desired: link(next, node), ordering: .sequentiallyConsistent
      ).exchanged {
        _ = tail.compareExchange(expected: end, desired: link(end, node), ordering: .sequentiallyConsistent)
        return
      }
    }
  }

  /// The first value, and the node that is free now.
  func removeFirst() -> (value: Int, node: Int)? {
    while true {
      let first = head.load(ordering: .sequentiallyConsistent),
        end = tail.load(ordering: .sequentiallyConsistent)
      let next = nodes[index(first)].next.load(ordering: .sequentiallyConsistent)
      if head.load(ordering: .sequentiallyConsistent) != first { continue }
      if index(first) == index(end) {
        if index(next) == 0 { return nil }
        _ = tail.compareExchange(
          expected: end, desired: link(end, index(next)), ordering: .sequentiallyConsistent)
      } else {
        let value = nodes[index(next)].value.load(ordering: .sequentiallyConsistent)
        if head.compareExchange(
          expected: first, desired: link(first, index(next)), ordering: .sequentiallyConsistent
        )
        .exchanged {
          return (value, index(first))
        }
      }
    }
  }
}

/// Tells observers the last value, and each one from then on.
final class ReplayedValue: Sendable {
  private struct State {
    var last: Int?
    var observers: [Log] = []
  }

  private let state = Mutex(State())
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func send(_ value: Int) {
    let observers = state.withLock { state in
      state.last = value
      return state.observers
    }
    for observer in observers { observer.add(value) }
  }

  func observe(_ observer: Log) {
    if isWrong {
      if let last = state.withLock({ $0.last }) { observer.add(last) }
      state.withLock { $0.observers.append(observer) }
    } else {
      state.withLock { state in
        if let last = state.last { observer.add(last) }
        state.observers.append(observer)
      }
    }
  }
}
