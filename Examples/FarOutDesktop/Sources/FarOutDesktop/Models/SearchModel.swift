import Foundation
import StreamImages
import StreamsExtras
import StreamsGLib

/// What there is, and what of it was searched for.
@MainActor
final class SearchModel: ObservableObject {
  /// What is typed.
  @Published var term = ""
  /// What is shown.
  @Published private(set) var found: [Photo] = []
  /// Why there is nothing.
  @Published private(set) var problem: String?
  /// How often was searched: once for each new term after a pause in the typing.
  private(set) var searchCount = 0

  init(_ gallery: Gallery) {
    // All of it on the main thread: the closures here belong to it.
    let photos = gallery.photos
      .receive(on: GMainContextScheduler.main)
      .handleEvents(receiveCompletion: { [weak self] completion in
        guard case .failure(let error) = completion else { return }
        MainActor.assumeIsolated { self?.problem = "The list cannot be loaded: \(error)" }
      })
      .replaceError(with: [])
    let terms =
      $term
      .debounce(for: .milliseconds(250), scheduler: GMainContextScheduler.main)
      .removeDuplicates()
      .handleEvents(receiveOutput: { [weak self] _ in MainActor.assumeIsolated { self?.searchCount += 1 } })
    photos
      .combineLatest(terms)
      .map { photos, term in term.isEmpty ? photos : photos.filter { $0.matches(term) } }
      .named("search")
      .assign(to: &$found)
  }
}
