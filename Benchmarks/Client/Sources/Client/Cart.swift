#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// What the user is going to buy.
final class Cart {
  enum Change {
    case add(Product), remove(Int), clear
  }

  private let changes = PassthroughSubject<Change, Never>()
  private let current = CurrentValueSubject<[Line], Never>([])
  private var subscription: AnyCancellable?

  init() {
    subscription =
      changes
      .scan([]) { Self.apply($1, to: $0) }
      .removeDuplicates()
      .sink { [current] in current.send($0) }
  }

  var lines: AnyPublisher<[Line], Never> { current.eraseToAnyPublisher() }
  var total: AnyPublisher<Int, Never> {
    current
      .map { $0.reduce(0) { $0 + $1.product.price * $1.count } }
      .removeDuplicates()
      .eraseToAnyPublisher()
  }

  func apply(_ change: Change) {
    changes.send(change)
  }

  private static func apply(_ change: Change, to lines: [Line]) -> [Line] {
    var lines = lines
    switch change {
    case .clear: return []
    case .remove(let id): lines.removeAll { $0.product.id == id }
    case .add(let product):
      if let index = lines.firstIndex(where: { $0.product.id == product.id }) {
        lines[index].count += 1
      } else {
        lines.append(Line(product: product, count: 1))
      }
    }
    return lines
  }
}
