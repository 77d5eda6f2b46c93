/// What is to happen at times, in order: a heap of times, and what they are for.
///
/// Adding, removing and taking the earliest take amortised O(log *n*). An entry that was removed leaves its time in the heap,
/// until it comes up or such times are the majority.
package struct Timetable<Time: Comparable, Entry> {
  private struct Moment {
    let time: Time
    let number: Int

    func precedes(_ other: Moment) -> Bool { (time, number) < (other.time, other.number) }
  }

  private var heap: [Moment] = []
  private var entries: [Int: Entry] = [:]
  private var last = 0

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  package var count: Int { entries.count }
  /// How many times are stored, with those of entries that were removed.
  package var storedCount: Int { heap.count }

  /// Adds `entry`, after those that have the same time. Returns its number.
  package mutating func add(_ entry: Entry, at time: Time) -> Int {
    last += 1
    add(entry, at: time, as: last)
    return last
  }

  /// Adds an entry that was taken, under its number.
  package mutating func add(_ entry: Entry, at time: Time, as number: Int) {
    entries[number] = entry
    push(Moment(time: time, number: number))
  }

  package mutating func remove(_ number: Int) -> Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    if heap.count > 2 * entries.count + 16 { leaveOutRemoved() }
    return entry
  }

  package mutating func removeAll(where isWanted: (Entry) -> Bool) -> [Entry] {
    entries.filter { isWanted($0.value) }.keys.sorted().compactMap { remove($0) }
  }

  /// The time of the earliest entry.
  package var earliest: Time? {
    mutating get {
      while let first = heap.first {
        if entries[first.number] != nil { return first.time }
        pop()
      }
      return nil
    }
  }

  /// The earliest entry.
  package var first: Entry? {
    mutating get { earliest == nil ? nil : heap.first.flatMap { entries[$0.number] } }
  }

  /// Takes the earliest entry, if its time is not after `present`; however late it is, if that is `nil`.
  package mutating func takeEarliest(until present: Time?) -> (number: Int, time: Time, entry: Entry)? {
    guard let time = earliest, present.map({ time <= $0 }) ?? true, let number = heap.first?.number else {
      return nil
    }
    pop()
    return entries.removeValue(forKey: number).map { (number, time, $0) }
  }

  // MARK: Heap

  private mutating func leaveOutRemoved() {
    heap = heap.filter { entries[$0.number] != nil }.sorted { $0.precedes($1) }  // a sorted array is a heap
  }

  private mutating func push(_ moment: Moment) {
    heap.append(moment)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right].precedes(heap[left]) ? right : left
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
