internal import Streams

/// Who waits for a place in a ``WorkQueue``, and which places are free.
struct WorkLine {
  struct Slot: Sendable {
    let lane: Int
    let weight: Int
  }

  /// Somebody whose turn has come.
  struct Start {
    let slot: Slot
    let continuation: CheckedContinuation<Slot?, Never>

    func resume() { continuation.resume(returning: slot) }
  }

  private struct Ticket {
    let weight: Int
    let continuation: CheckedContinuation<Slot?, Never>
    var priority: ImageRequest.Priority
    /// Which of its entries counts: one that has moved leaves its old entry behind.
    var entry: UInt64
  }

  private struct Entry {
    let number: UInt64
    let entry: UInt64
  }

  /// Those of one priority: the ones who came down from a higher one, then the others.
  private struct Row {
    var demoted: [Entry] = []
    var others = Fifo<Entry>()

    mutating func popFirst() -> Entry? { demoted.popLast() ?? others.popFirst() }
  }

  private let capacity: Int
  private var freeLanes: [Int]
  private var laneCount: Int
  /// How many may run at a time.
  private(set) var width: Int
  /// Whether nobody is let out of the line.
  var isSuspended = false
  private var weight = 0
  private(set) var running = 0
  private var tickets: [UInt64: Ticket] = [:]
  private var rows = ImageRequest.Priority.allCases.map { _ in Row() }
  private var lastNumber: UInt64 = 0

  var waiting: Int { tickets.count }

  /// In no order.
  var waitingPriorities: [ImageRequest.Priority] { tickets.values.map(\.priority) }

  init(width: Int, capacity: Int) {
    freeLanes = Array((0..<width).reversed())
    (laneCount, self.width) = (width, width)
    self.capacity = capacity
  }

  /// Those that run go on. Lanes are added, and stay: they cost nothing while nobody is in them.
  mutating func setWidth(_ width: Int) {
    self.width = width
    if width > laneCount {
      freeLanes.insert(contentsOf: (laneCount..<width).reversed(), at: 0)
      laneCount = width
    }
  }

  mutating func takeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func append(
    _ number: UInt64, _ priority: ImageRequest.Priority, _ weight: Int,
    _ continuation: CheckedContinuation<Slot?, Never>
  ) {
    let entry = takeNumber()
    tickets[number] = Ticket(weight: weight, continuation: continuation, priority: priority, entry: entry)
    rows[priority.rawValue].others.append(Entry(number: number, entry: entry))
  }

  /// Who gets more urgent stands behind those who are so already; who gets less urgent, before them.
  mutating func move(_ number: UInt64, to priority: ImageRequest.Priority) {
    guard let old = tickets[number]?.priority, old != priority else { return }
    let entry = Entry(number: number, entry: takeNumber())
    tickets[number]!.priority = priority
    tickets[number]!.entry = entry.entry
    if priority > old {
      rows[priority.rawValue].others.append(entry)
    } else {
      rows[priority.rawValue].demoted.append(entry)
    }
  }

  mutating func remove(_ number: UInt64) -> CheckedContinuation<Slot?, Never>? {
    tickets.removeValue(forKey: number)?.continuation
  }

  mutating func release(_ slot: Slot) {
    freeLanes.append(slot.lane)
    weight -= slot.weight
    running -= 1
  }

  /// Takes from the line all whose turn has come. The first in the line is never passed by.
  mutating func start() -> [Start] {
    var started: [Start] = []
    while !isSuspended, running < width, !freeLanes.isEmpty, let (number, ticket) = first() {
      let fits = running == 0 || weight <= capacity - ticket.weight
      guard fits else {
        rows[ticket.priority.rawValue].demoted.append(Entry(number: number, entry: ticket.entry))
        break
      }
      tickets[number] = nil
      let slot = Slot(lane: freeLanes.removeLast(), weight: ticket.weight)
      weight += slot.weight
      running += 1
      started.append(Start(slot: slot, continuation: ticket.continuation))
    }
    return started
  }

  /// Takes the first entry that counts out of its row; its ticket stays.
  private mutating func first() -> (UInt64, Ticket)? {
    for index in rows.indices.reversed() {
      while let entry = rows[index].popFirst() {
        if let ticket = tickets[entry.number], ticket.entry == entry.entry { return (entry.number, ticket) }
      }
    }
    return nil
  }
}
