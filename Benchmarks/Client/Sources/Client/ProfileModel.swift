#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class ProfileModel: ObservableObject {
  @Published var nickname = ""
  @Published private(set) var isSaved = true
  @Published private(set) var rows: [String] = []
  private let saved = PassthroughSubject<String, Never>()
  private var subscriptions = Set<AnyCancellable>()

  init(session: Session, settings: Settings, queues: Queues) {
    session.user
      .map { user -> AnyPublisher<[String], Never> in
        guard let user else { return Just([]).eraseToAnyPublisher() }
        return settings.$currency.map { [user.name, $0] }.eraseToAnyPublisher()
      }
      .switchToLatest()
      .assign(to: &$rows)
    $nickname
      .dropFirst()
      .handleEvents(receiveOutput: { [weak self] _ in self?.isSaved = false })
      .debounce(for: .milliseconds(4), scheduler: queues.main)
      .removeDuplicates()
      .sink { [saved] in saved.send($0) }
      .store(in: &subscriptions)
    saved.map { _ in true }.assign(to: &$isSaved)
  }
}
