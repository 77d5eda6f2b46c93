/// The actions of a ``TestScheduler``: a heap of dates, ordered by time, then by number.
struct Agenda<Time: Strideable> {
  private struct Entry {
    let due: Time
    let number: Int

    func precedes(_ other: Entry) -> Bool { (due, number) < (other.due, other.number) }
  }

  private struct Task {
    let action: () -> Void
    let interval: Time.Stride?
  }

  private var heap: [Entry] = []
  /// The tasks by number. An entry of the heap without a task was cancelled, and is skipped.
  private var tasks: [Int: Task] = [:]
  private var last = 0

  var count: Int { tasks.count }

  mutating func add(_ action: @escaping () -> Void, due: Time, every interval: Time.Stride?) -> Int {
    last += 1
    tasks[last] = Task(action: action, interval: interval)
    push(Entry(due: due, number: last))
    return last
  }

  mutating func remove(_ number: Int) -> (() -> Void)? { tasks.removeValue(forKey: number)?.action }

  /// Removes the earliest action, if it is due by `instant`. A repeating action is inserted again under its old number.
  mutating func next(until instant: Time?) -> (due: Time, action: () -> Void)? {
    while let first = heap.first {
      guard let task = tasks[first.number] else {
        pop()
        continue
      }
      if let instant, first.due > instant { return nil }
      pop()
      if let interval = task.interval {
        push(Entry(due: first.due.advanced(by: interval), number: first.number))
      } else {
        tasks[first.number] = nil
      }
      return (first.due, task.action)
    }
    return nil
  }

  // MARK: Heap

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
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
