#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class ProductModel: ObservableObject {
  @Published private(set) var title = ""
  @Published private(set) var price = ""
  @Published private(set) var trend = 0
  @Published private(set) var isMissing = false
  private var subscriptions = Set<AnyCancellable>()

  init(id: Int, catalogue: Catalogue, prices: Prices, settings: Settings, queues: Queues) {
    let product = catalogue.product(id).share()
    product
      .map(\.title)
      .replaceEmpty(with: "?")
      .replaceError(with: "?")
      .assign(to: &$title)
    product
      .map(\.price)
      .append(prices.quotes(of: id))
      .replaceError(with: 0)
      .throttle(for: .milliseconds(5), scheduler: queues.main, latest: true)
      .flatMap { price in settings.format.prefix(1).map { $0(price) } }
      .sink { [weak self] in self?.price = $0 }
      .store(in: &subscriptions)
    product
      .sink(
        receiveCompletion: { [weak self] in if case .failure = $0 { self?.isMissing = true } },
        receiveValue: { _ in }
      )
      .store(in: &subscriptions)
    prices.changes(of: id).map { $0.signum() }.assign(to: &$trend)
  }
}
