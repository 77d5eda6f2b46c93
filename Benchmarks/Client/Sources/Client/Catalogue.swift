#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// The products, and what is found among them.
final class Catalogue {
  private let network: Network
  private let queues: Queues
  private let loaded = CurrentValueSubject<[Product], Never>([])
  private let failures = PassthroughSubject<ShopError, Never>()
  private var loading: AnyCancellable?

  init(network: Network, queues: Queues) {
    self.network = network
    self.queues = queues
  }

  var products: AnyPublisher<[Product], Never> { loaded.dropFirst().share().eraseToAnyPublisher() }
  var problems: AnyPublisher<String, Never> { failures.map(\.message).eraseToAnyPublisher() }

  func load() {
    loading = network.value("products", as: [Product].self)
      .map { $0.sorted { $0.title < $1.title } }
      .handleEvents(receiveOutput: { Log.shared.note("loaded \($0.count)") })
      .sink(
        receiveCompletion: { [failures] in if case .failure(let error) = $0 { failures.send(error) } },
        receiveValue: { [loaded] in loaded.send($0) })
  }

  func product(_ id: Int) -> AnyPublisher<Product, ShopError> {
    loaded
      .compactMap { $0.first { $0.id == id } }
      .prefix(1)
      .setFailureType(to: ShopError.self)
      .eraseToAnyPublisher()
  }

  func search(_ text: String) -> AnyPublisher<[Product], Never> {
    loaded
      .prefix(1)
      .map { $0.filter { $0.title.lowercased().contains(text.lowercased()) } }
      .receive(on: queues.main)
      .eraseToAnyPublisher()
  }
}
