#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class DownloadsModel: ObservableObject {
  @Published private(set) var progress: [String: Double] = [:]
  @Published private(set) var finished: [String] = []
  private let starts = PassthroughSubject<String, Never>()
  private var subscriptions = Set<AnyCancellable>()

  init(network: Network, queues: Queues) {
    let steps =
      starts
      .flatMap { name in
        [0.25, 0.5, 0.75].publisher
          .setFailureType(to: ShopError.self)
          .append(network.data(name).map { _ in 1 }.receive(on: queues.background))
          .prepend(0)
          .receive(on: queues.main)
          .map { (name: name, value: $0) }
          .catch { _ in Just((name: name, value: -1)) }
      }
      .share()
    steps
      .sink { [weak self] in self?.progress[$0.name] = $0.value }
      .store(in: &subscriptions)
    steps
      .filter { $0.value == 1 }
      .map(\.name)
      .scan([]) { $0 + [$1] }
      .assign(to: &$finished)
  }

  func start(_ name: String) { starts.send(name) }
}
