#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class CatalogueModel: ObservableObject {
  @Published private(set) var titles: [String] = []
  @Published private(set) var tags: [String] = []
  @Published private(set) var problem: String?
  private let catalogue: Catalogue
  private var subscriptions = Set<AnyCancellable>()

  init(catalogue: Catalogue) {
    self.catalogue = catalogue
    catalogue.products.map { $0.map(\.title) }.assign(to: &$titles)
    catalogue.products
      .map { Set($0.flatMap(\.tags)).sorted() }
      .removeDuplicates()
      .sink { [weak self] in self?.tags = $0 }
      .store(in: &subscriptions)
    catalogue.problems.map(Optional.some).assign(to: \.problem, on: self).store(in: &subscriptions)
  }

  func refresh() {
    catalogue.load()
  }
}
