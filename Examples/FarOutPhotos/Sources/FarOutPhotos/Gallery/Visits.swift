import Foundation
import StreamImages
import StreamsExtras
import Synchronization

/// The pages that are open, and what is made for each before it is wanted.
final class Visits: Sendable {
  private final class Visit: Sendable {
    let prefetcher: ImagePrefetcher
    let ahead = Mutex<[Variant]>([])

    init(_ prefetcher: ImagePrefetcher) { self.prefetcher = prefetcher }
  }

  private let gallery: Gallery
  private let visits = Mutex<[String: Visit]>([:])

  init(_ gallery: Gallery) { self.gallery = gallery }

  /// How much is being prefetched, for all pages.
  var prefetching: Int { visits.withLock { Array($0.values) }.reduce(0) { $0 + $1.prefetcher.count } }

  /// What the page is told as long as it is open, twice a second, if it has changed. Who leaves, leaves nothing behind.
  func events(for page: String) -> AnyPublisher<String, Never> {
    Deferred { [self] in
      let visit = begin(page)
      return DispatchQueue.global().timerPublisher(every: .milliseconds(500))
        .autoconnect()
        .map { _ in () }
        .prepend(())
        .map { [self] in Status(gallery, prefetching: prefetching).json }
        .removeDuplicates()
        .handleEvents(receiveCancel: { [self] in end(visit, of: page) })
    }
    .eraseToAnyPublisher()
  }

  /// Makes what the page will show next, and no longer what it would have shown.
  ///
  /// - Returns: Whether there is such a page.
  func prepare(_ variants: [Variant], for page: String) -> Bool {
    guard let visit = visits.withLock({ $0[page] }) else { return false }
    let before = visit.ahead.withLock { ahead in
      defer { ahead = variants }
      return ahead
    }
    let (old, new) = (Set(before), Set(variants))
    visit.prefetcher.stop(with: before.filter { !new.contains($0) }.map(gallery.request(for:)))
    visit.prefetcher.start(with: variants.filter { !old.contains($0) }.map(gallery.request(for:)))
    return true
  }

  private func begin(_ page: String) -> Visit {
    let visit = Visit(gallery.prefetcher())
    visits.withLock { $0[page] = visit }
    return visit
  }

  /// A page that connects again may have a new visit before its old connection ends.
  private func end(_ visit: Visit, of page: String) {
    visits.withLock { if $0[page] === visit { $0[page] = nil } }
    visit.prefetcher.stopAll()
  }
}
