#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class FavouritesModel: ObservableObject {
  @Published private(set) var ids: Set<Int> = []
  @Published private(set) var names: [String] = []
  @Published private(set) var canAdd = true
  private let toggles = PassthroughSubject<Int, Never>()
  private var subscriptions = Set<AnyCancellable>()

  init(catalogue: Catalogue) {
    toggles
      .scan(Set()) { $0.symmetricDifference([$1]) }
      .sink { [weak self] in self?.ids = $0 }
      .store(in: &subscriptions)
    $ids
      .removeDuplicates()
      .map { ids in catalogue.search("").map { $0.filter { ids.contains($0.id) }.map(\.title) } }
      .switchToLatest()
      .assign(to: &$names)
    $ids.map { $0.count < 3 }.removeDuplicates().assign(to: &$canAdd)
  }

  func toggle(_ id: Int) { toggles.send(id) }
}
