#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class CheckoutModel: ObservableObject {
  @Published var address = ""
  @Published var card = ""
  @Published private(set) var canPay = false
  @Published private(set) var state = "idle"
  private let taps = PassthroughSubject<Void, Never>()
  private var subscriptions = Set<AnyCancellable>()

  init(cart: Cart, orders: Orders, queues: Queues) {
    let isAddressValid = $address.map { $0.count > 5 }.removeDuplicates()
    let isCardValid = $card.map { $0.filter(\.isNumber).count == 8 }.removeDuplicates()
    isAddressValid
      .map { valid in isCardValid.map { $0 && valid } }
      .switchToLatest()
      .assign(to: &$canPay)
    taps
      .throttle(for: .milliseconds(50), scheduler: queues.main, latest: false)
      .filter { [weak self] in self?.canPay ?? false }
      .flatMap(maxPublishers: .max(1)) { cart.lines.prefix(1) }
      .map { lines in
        orders.place(lines)
          .map { "order \($0.number)" }
          .catch { Just($0.message) }
          .prepend("paying")
      }
      .switchToLatest()
      .sink { [weak self] in self?.state = $0 }
      .store(in: &subscriptions)
  }

  func pay() { taps.send() }
}
