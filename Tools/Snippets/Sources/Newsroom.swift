import Foundation
import Streams
import StreamsFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

nonisolated struct Article: Decodable, Equatable, Identifiable {
  let id: Int
  let title: String
}

nonisolated enum NewsPage: Equatable {
  case loading
  case loaded([Article])
  case failed(String)

  var articles: [Article] { if case .loaded(let articles) = self { articles } else { [] } }

  var title: String {
    switch self {
    case .loading: "loading"
    case .loaded(let articles): "\(articles.count) articles"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}

/// Answers on threads of its session, so its closures belong to no actor.
nonisolated struct NewsService {
  let session: URLSession

  func page(about topic: String) -> AnyPublisher<NewsPage, Never> {
    session.dataTaskPublisher(for: URL(string: "https://example.org/news/\(topic)")!)
      .tryMap { data, response in
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
      }
      .decode(type: [Article].self, decoder: JSONDecoder())
      .map(NewsPage.loaded)
      .catch { error in Just(.failed(error is DecodingError ? "not JSON" : "no answer")) }
      .prepend(.loading)
      .eraseToAnyPublisher()
  }

  func reader() -> some Publisher<String, Never> {
    Deferred {
      Future { promise in
        DispatchQueue.global().async { promise(.success("Ada")) }
      }
    }
  }
}

/// What a screen shows that has a topic, a field to search in, a list, and a clock.
@MainActor
final class NewsViewModel: ObservableObject {
  static let reload = Notification.Name("reload")

  @Published var topic = "all"
  @Published var text = ""
  @Published private(set) var page = NewsPage.loading
  @Published private(set) var titles: [String] = []
  @Published private(set) var reader = "somebody"
  @Published private(set) var seconds = 0

  private(set) var log: [String] = []
  private var subscriptions: Set<AnyCancellable> = []

  init(_ service: NewsService) {
    let reloads = NotificationCenter.default.publisher(for: Self.reload).map { _ in }.prepend(())
    let pages = $topic.removeDuplicates()
      .combineLatest(reloads)
      .map { [service] topic, _ in service.page(about: topic) }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .multicast(subject: PassthroughSubject())
    pages.assign(to: &$page)
    pages
      .sink { [weak self] page in self?.log.append(page.title) }
      .store(in: &subscriptions)

    pages.map(\.articles)
      .combineLatest($text.removeDuplicates())
      .map { articles, text in
        articles.map(\.title).filter { text.isEmpty || $0.lowercased().contains(text.lowercased()) }
      }
      .removeDuplicates()
      .handleEvents(receiveOutput: { titles in print("titles:", titles) })
      .assign(to: &$titles)

    service.reader()
      .receive(on: DispatchQueue.main)
      .assign(to: &$reader)

    Timer.publish(every: 0.01, on: .main, in: .common).autoconnect()
      .scan(0) { seconds, _ in seconds + 1 }
      .prefix(3)
      .assign(to: &$seconds)

    pages.connect().store(in: &subscriptions)
  }

  /// The next value that satisfies `predicate`, of what this publishes.
  func first<Value: Sendable>(
    _ published: Published<Value>.Publisher, _ predicate: @escaping @Sendable (Value) -> Bool
  ) async {
    await withCheckedContinuation { continuation in
      var waiting: AnyCancellable?
      waiting = published.first(where: predicate).receive(on: DispatchQueue.main).sink { _ in
        withExtendedLifetime(waiting) {}
        waiting = nil
        continuation.resume()
      }
    }
  }
}

@MainActor
func newsroom() async {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.protocolClasses = [StubbedServer.self]
  let news = NewsViewModel(NewsService(session: URLSession(configuration: configuration)))

  await news.first(news.$titles) { $0.count == 3 }
  news.text = "swift"
  print("searched:", news.titles)

  news.text = ""
  news.topic = "sports"
  await news.first(news.$page) { $0.articles.count == 1 }
  news.topic = "nothing"
  await news.first(news.$page) { $0 == .failed("no answer") }
  NotificationCenter.default.post(name: NewsViewModel.reload, object: nil)
  await news.first(news.$page) { $0 == .loading }
  await news.first(news.$page) { $0 == .failed("no answer") }
  await news.first(news.$reader) { $0 == "Ada" }
  await news.first(news.$seconds) { $0 == 3 }

  print("reader:", news.reader, "seconds:", news.seconds)
  for line in news.log { print(line) }
}
