#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class CartModel: ObservableObject {
  @Published private(set) var lines: [Line] = []
  @Published private(set) var badge: String?
  @Published private(set) var total = ""
  private let cart: Cart
  private var subscriptions = Set<AnyCancellable>()

  init(cart: Cart, settings: Settings) {
    self.cart = cart
    cart.lines.sink { [weak self] in self?.lines = $0 }.store(in: &subscriptions)
    cart.lines
      .map { $0.reduce(0) { $0 + $1.count } }
      .map { $0 == 0 ? nil : "\($0)" }
      .removeDuplicates()
      .assign(to: &$badge)
    settings.format
      .map { format in cart.total.map(format) }
      .switchToLatest()
      .sink { [weak self] in self?.total = $0 }
      .store(in: &subscriptions)
  }

  func add(_ product: Product) { cart.apply(.add(product)) }
  func remove(_ product: Product) { cart.apply(.remove(product.id)) }
}
