import Interleavings

/// What streams carry here: a number, and something that notices when it is let go of.
struct Item: Equatable, Comparable {
  let number: Int
  private let token = Token()
  /// What it holds besides.
  private let content = Sample("a value's content")

  init(_ number: Int) {
    self.number = number
    content.write()
  }

  /// A subscriber looks into it.
  func read() { content.read() }

  static func == (one: Item, other: Item) -> Bool { one.number == other.number }
  static func < (one: Item, other: Item) -> Bool { one.number < other.number }
}

struct Fault: Error, Equatable {}
