/// The labels of the queues of records. Each has a number until its last record is removed.
struct QueueLabels {
  private struct Entry {
    var name = ""
    /// With a zero at its end.
    var bytes: ContiguousArray<CChar> = []
    var recordCount = 0
  }

  private var entries: [Entry] = []
  /// The numbers that no record has.
  private var free: [Int32] = []
  private var numbers: [String: Int32] = [:]
  /// That of the last record that was on a queue.
  private var last: Int32?

  /// How many labels are stored.
  var count: Int { numbers.count }

  /// Returns the number of `label` for one more record; less than zero for none.
  mutating func add(_ label: UnsafePointer<CChar>) -> Int32 {
    if label.pointee == 0 { return -1 }
    let number = last.flatMap { isLabel(label, of: $0) ? $0 : nil } ?? number(of: String(cString: label))
    last = number
    entries[Int(number)].recordCount += 1
    return number
  }

  /// Notes that a record with this number was removed.
  mutating func remove(_ number: Int32) {
    if number < 0 { return }
    entries[Int(number)].recordCount -= 1
    guard entries[Int(number)].recordCount == 0 else { return }
    numbers[entries[Int(number)].name] = nil
    entries[Int(number)] = Entry()
    free.append(number)
    if last == number { last = nil }
  }

  /// The label with this number; `nil` for none.
  subscript(number: Int32) -> String? { number < 0 ? nil : entries[Int(number)].name }

  private mutating func number(of name: String) -> Int32 {
    if let known = numbers[name] { return known }
    if free.isEmpty {
      free.append(Int32(entries.count))
      entries.append(Entry())
    }
    let number = free.removeLast()
    entries[Int(number)] = Entry(name: name, bytes: ContiguousArray(name.utf8CString))
    numbers[name] = number
    return number
  }

  private func isLabel(_ label: UnsafePointer<CChar>, of queue: Int32) -> Bool {
    entries[Int(queue)].bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while bytes[index] == label[index] {
        if bytes[index] == 0 { return true }
        index += 1
      }
      return false
    }
  }
}
