#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// Orders and what becomes of them.
final class Orders {
  private let network: Network
  private let placed = PassthroughSubject<Order, Never>()
  private var number = 0

  init(network: Network) {
    self.network = network
  }

  var updates: AnyPublisher<Order, Never> {
    placed
      .flatMap { order in
        [Order.State.placed, .paid, .sent].publisher.map { state in
          var order = order
          order.state = state
          return order
        }
      }
      .share()
      .eraseToAnyPublisher()
  }

  func place(_ lines: [Line]) -> AnyPublisher<Order, ShopError> {
    guard !lines.isEmpty else { return Fail(error: .refused("empty")).eraseToAnyPublisher() }
    number += 1
    let order = Order(number: number, lines: lines)
    return network.data("pay")
      .map { _ in order }
      .handleEvents(receiveOutput: { [placed] in placed.send($0) })
      .eraseToAnyPublisher()
  }
}
