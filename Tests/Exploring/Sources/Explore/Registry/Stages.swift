import Streams

extension Explored {
  /// One upstream, at most one value out for each one in.
  static var relays: [Explored] {
    [
      Explored("tryMap", .all, .countsDemand) { $0.tryMap { $0 }.mapError { _ in Fault() } },
      Explored("scan", .all, .countsDemand) { $0.scan(Item(0)) { $1 } },
      Explored("tryScan", .all, .countsDemand) { $0.tryScan(Item(0)) { $1 }.mapError { _ in Fault() } },
      Explored("tryFilter", .all, .countsDemand) { $0.tryFilter { _ in true }.mapError { _ in Fault() } },
      Explored("tryCompactMap", .all, .countsDemand) { $0.tryCompactMap { $0 }.mapError { _ in Fault() } },
      Explored("removeDuplicates", .all, .countsDemand) { $0.removeDuplicates() },
      Explored("dropFirst", .some, .countsDemand) { $0.dropFirst(1) },
      Explored("drop(while:)", .all, .countsDemand) { $0.drop { _ in false } },
      Explored("prefix", .some) { $0.prefix(2) },
      Explored("prefix of one", .some) { $0.prefix(1) },
      Explored("prefix(while:)", .some) { $0.prefix { $0.number % 100 < 2 } },
      Explored("tryPrefix(while:)", .some) {
        $0.tryPrefix { item in
          if item.number % 100 == 2 { throw Fault() }
          return true
        }.mapError { _ in Fault() }
      },
      Explored("output(in:)", .some) { $0.output(in: 1...1) },
      Explored("collect of two", .others) { $0.collect(2).map { $0[0] } },
      Explored("handleEvents", .all, .countsDemand) { $0.handleEvents(receiveOutput: { _ in }) },
      Explored("print", .all, .countsDemand) { $0.print("", to: Nowhere()) },
    ]
  }

  /// One upstream, one value when all is known.
  static var folds: [Explored] {
    [
      Explored("collect", .others) { $0.collect().map { Item($0.count) } },
      Explored("count", .others) { $0.count().map { Item($0) } },
      Explored("reduce", .others) { $0.reduce(Item(0)) { $1 } },
      Explored("tryReduce", .others) { $0.tryReduce(Item(0)) { $1 }.mapError { _ in Fault() } },
      Explored("max", .some) { $0.max() },
      Explored("contains(where:)", .others) { $0.contains { $0.number % 100 == 1 }.map { _ in Item(0) } },
      Explored("allSatisfy", .others) { $0.allSatisfy { $0.number % 100 > 1 }.map { _ in Item(0) } },
      Explored("first", .some) { $0.first() },
      Explored("first(where:)", .some) { $0.first { $0.number % 100 == 2 } },
      Explored("last", .some) { $0.last() },
      Explored("ignoreOutput", .some) { $0.ignoreOutput().map { (_: Never) -> Item in } },
      Explored("replaceEmpty", .all, .countsDemand, check: nil) {
        $0.map { Optional($0) }.replaceEmpty(with: nil).compactMap { $0 }
      },
    ]
  }
}

private struct Nowhere: TextOutputStream {
  mutating func write(_: String) {}
}
