#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class TickerModel: ObservableObject {
  @Published private(set) var latest: [Int] = []
  @Published private(set) var best = 0
  @Published private(set) var ticks = 0
  private var subscriptions = Set<AnyCancellable>()

  init(products: [Int], prices: Prices, queues: Queues) {
    products.publisher
      .setFailureType(to: ShopError.self)
      .flatMap { prices.quotes(of: $0) }
      .collect(3)
      .replaceError(with: [])
      .sink { [weak self] in self?.latest = $0 }
      .store(in: &subscriptions)
    prices.highest
      .map(\.price)
      .throttle(for: .milliseconds(2), scheduler: queues.main, latest: true)
      .assign(to: &$best)
    prices.highest
      .map { _ in 1 }
      .scan(0, +)
      .prefix { $0 < 100 }
      .assign(to: &$ticks)
  }
}
