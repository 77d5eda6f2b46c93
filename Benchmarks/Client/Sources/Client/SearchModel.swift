import Foundation

#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class SearchModel: ObservableObject {
  @Published var text = ""
  @Published private(set) var results: [Product] = []
  @Published private(set) var isSearching = false
  @Published private(set) var history: [String] = []
  private var subscriptions = Set<AnyCancellable>()

  init(catalogue: Catalogue, queues: Queues) {
    let queries =
      $text
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .debounce(for: .milliseconds(5), scheduler: queues.main)
      .removeDuplicates()
      .share()
    queries
      .filter { $0.count > 1 }
      .handleEvents(receiveOutput: { [weak self] _ in self?.isSearching = true })
      .map { catalogue.search($0) }
      .switchToLatest()
      .sink { [weak self] in
        self?.results = $0
        self?.isSearching = false
      }
      .store(in: &subscriptions)
    queries
      .filter { !$0.isEmpty }
      .scan([]) { Array(($0 + [$1]).suffix(5)) }
      .assign(to: &$history)
  }
}
