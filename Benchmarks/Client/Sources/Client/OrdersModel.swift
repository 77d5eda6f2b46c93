#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class OrdersModel: ObservableObject {
  @Published private(set) var open: [Int: Order.State] = [:]
  @Published private(set) var message = ""
  @Published private(set) var spent = 0
  private var subscriptions = Set<AnyCancellable>()

  init(orders: Orders) {
    let updates = orders.updates
    updates
      .sink { [weak self] in self?.open[$0.number] = $0.state == .sent ? nil : $0.state }
      .store(in: &subscriptions)
    updates
      .filter { $0.state == .paid }
      .map(\.total)
      .scan(0, +)
      .assign(to: &$spent)
    updates
      .tryMap { order in
        guard order.total < 100_000 else { throw ShopError.refused("limit") }
        return "Order \(order.number): \(order.state)"
      }
      .replaceError(with: "Too much")
      .assign(to: \.message, on: self)
      .store(in: &subscriptions)
  }
}
