#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class FeedModel: ObservableObject {
  enum Item: Equatable {
    case product(String), review(String), divider
  }

  @Published private(set) var items: [Item] = []
  @Published private(set) var isLoading = false
  private let refreshes = PassthroughSubject<Void, Never>()
  private var subscriptions = Set<AnyCancellable>()

  init(network: Network, queues: Queues) {
    let products = network.value("products", as: [Product].self)
      .flatMap { $0.publisher }
      .map { Item.product($0.title) }
    let reviews = network.value("reviews/1", as: [Review].self)
      .flatMap { $0.publisher }
      .filter { $0.stars > 3 }
      .map { Item.review($0.text) }
    refreshes
      .handleEvents(receiveOutput: { [weak self] in self?.isLoading = true })
      .map {
        products.append(.divider).append(reviews).collect()
          .receive(on: queues.background)
          .replaceError(with: [])
          .receive(on: queues.main)
      }
      .switchToLatest()
      .sink { [weak self] in
        self?.items = $0
        self?.isLoading = false
      }
      .store(in: &subscriptions)
  }

  func refresh() { refreshes.send() }
}
