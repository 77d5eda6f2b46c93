import Foundation
import StreamImages
import StreamsExtras
import StreamsFoundationExtras

/// The search field, and what it finds.
@MainActor
final class SearchModel: ObservableObject {
  enum State: Sendable, Equatable {
    /// Nothing is searched for.
    case empty
    case searching(String)
    case found([Song], term: String)
    case failed(term: String, message: String)

    /// What this is the answer to; `nil` while there is none.
    var answeredTerm: String? {
      switch self {
      case .empty: ""
      case .searching: nil
      case .found(_, let term), .failed(let term, _): term
      }
    }
  }

  /// For how long nobody types before a search begins.
  static let pause = 300

  /// What stands in the field.
  @Published var text = ""
  @Published private(set) var state = State.empty

  /// - Parameter scheduler: Measures the pause, on the main actor.
  init(_ service: SongService, scheduler: AnySchedulerOf<DispatchQueue>) {
    $text
      .dropFirst()
      .map(Self.term)
      .debounce(for: .milliseconds(Self.pause), scheduler: scheduler)
      .removeDuplicates()
      .map { term in Self.states(of: term, service) }
      .switchToLatest()
      .assign(to: &$state)
  }

  /// What is searched for when `text` stands in the field.
  nonisolated static func term(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// What one search goes through. It never fails: one that did would end the field with it.
  private nonisolated static func states(
    of term: String, _ service: SongService
  ) -> AnyPublisher<State, Never> {
    guard !term.isEmpty else { return Just(State.empty).eraseToAnyPublisher() }
    return service.songs(matching: term)
      .map { State.found($0, term: term) }
      .catch { Just(State.failed(term: term, message: "\($0)")) }
      .prepend(.searching(term))
      .eraseToAnyPublisher()
  }
}
