#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class ReviewsModel: ObservableObject {
  @Published private(set) var reviews: [Review] = []
  @Published private(set) var average = 0.0
  @Published private(set) var isComplete = false
  private let pages = PassthroughSubject<Int, Never>()
  private var next = 1
  private var subscriptions = Set<AnyCancellable>()

  init(network: Network) {
    let loaded =
      pages
      .removeDuplicates()
      .flatMap { page in
        network.value("reviews/\(page)", as: [Review].self).replaceError(with: [])
      }
      .share()
    loaded.scan([], +).sink { [weak self] in self?.reviews = $0 }.store(in: &subscriptions)
    loaded.map(\.isEmpty).filter { $0 }.first().assign(to: &$isComplete)
    $reviews
      .filter { !$0.isEmpty }
      .map { Double($0.reduce(0) { $0 + $1.stars }) / Double($0.count) }
      .assign(to: &$average)
  }

  func loadMore() {
    pages.send(next)
    next += 1
  }
}
