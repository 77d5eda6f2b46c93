import Streams

/// One value, known beforehand, or an upstream of which nothing is known.
enum Child: Publisher {
  typealias Output = Item
  typealias Failure = Fault

  case upstream(Source)
  case constant(Item)

  /// For the first value of `outer` an upstream, then what it says.
  static func made(of outer: Source, first: Source) -> Publishers.Map<Source, Child> {
    var isFirst = true
    return outer.map { item in
      defer { isFirst = false }
      return isFirst ? .upstream(first) : .constant(item)
    }
  }

  func receive<Downstream: Subscriber<Item, Fault>>(subscriber: Downstream) {
    switch self {
    case .upstream(let source): source.subscribe(subscriber)
    case .constant(let item): Just(item).setFailureType(to: Fault.self).subscribe(subscriber)
    }
  }

  var _singleValue: Item? { if case .constant(let item) = self { item } else { nil } }
}
