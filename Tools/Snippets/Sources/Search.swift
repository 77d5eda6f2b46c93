import Foundation
import Streams
import StreamsFoundation

private enum SearchError: Error { case offline, tooShort(String) }

private struct Catalogue {
  let titles = ["Swift", "Swallow", "Swan", "Stork"]

  func find(_ query: String) -> AnyPublisher<[String], SearchError> {
    guard query != "offline" else { return Fail(error: SearchError.offline).eraseToAnyPublisher() }
    guard query.count > 1 else { return Fail(error: .tooShort(query)).eraseToAnyPublisher() }
    return Just(titles.filter { $0.lowercased().hasPrefix(query) })
      .setFailureType(to: SearchError.self)
      .delay(for: .milliseconds(1), scheduler: DispatchQueue.global())
      .eraseToAnyPublisher()
  }
}

@MainActor
private final class SearchViewModel: ObservableObject {
  @Published var query = ""
  @Published private(set) var results: [String] = []

  private let catalogue = Catalogue()
  private var cancellables = Set<AnyCancellable>()

  init() {
    $query
      .dropFirst()
      .debounce(for: .milliseconds(5), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .handleEvents(receiveOutput: { print("searching for \($0)") })
      .map { [catalogue] query in
        catalogue.find(query)
          .catch { error -> Just<[String]> in
            switch error {
            case .offline: return Just(["<offline>"])
            case .tooShort(let query): return Just(["<\(query) is too short>"])
            }
          }
      }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .assign(to: &$results)
  }
}

@MainActor
func search() async {
  let model = SearchViewModel()
  for query in ["swift", "sw", "offline", "s", "stork"] {
    var subscription: AnyCancellable?
    await wait { done in
      subscription = model.$results.dropFirst().sink { results in
        print("\(query):", results)
        done()
      }
      // Typed at once: only the last is searched for.
      for end in query.indices { model.query = String(query[...end]) }
    }
    subscription?.cancel()
  }
}
