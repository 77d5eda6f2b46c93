#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class NotificationsModel: ObservableObject {
  @Published private(set) var banner: String?
  @Published private(set) var unread = 0
  @Published var isMuted = false
  private let incoming = PassthroughSubject<String?, Never>()
  private let reads = PassthroughSubject<Void, Never>()
  private var subscriptions = Set<AnyCancellable>()

  init(connectivity: AnyPublisher<Bool, Never>, queues: Queues) {
    let shown =
      incoming
      .compactMap { $0 }
      .filter { [weak self] _ in self?.isMuted == false }
      .share()
    shown
      .map { text in
        Just(String?.some(text)).append(Just(nil).delay(for: .milliseconds(3), scheduler: queues.main))
      }
      .switchToLatest()
      .sink { [weak self] in self?.banner = $0 }
      .store(in: &subscriptions)
    reads
      .prepend(())
      .map { shown.scan(0) { count, _ in count + 1 }.prepend(0) }
      .switchToLatest()
      .assign(to: &$unread)
    connectivity
      .dropFirst()
      .map { $0 ? "Back online" : "Offline" }
      .sink { [incoming] in incoming.send($0) }
      .store(in: &subscriptions)
  }

  func receive(_ text: String?) { incoming.send(text) }
  func markRead() { reads.send() }
}
