import Foundation
import StreamImages

/// Loads pictures from a cache or from their URLs.
struct ImageLoader: Sendable {
  let cache: any Caching<Picture>
  /// Where bytes come from. Those who want the same at the same time share one load.
  let source: ImagePipeline
  let background = DispatchQueue(label: "ImageLoader", attributes: .concurrent)

  /// One picture, or `nil` if there is none; then the end. On the main queue, wherever it comes from.
  ///
  /// Nothing happens before somebody subscribes, and each subscriber looks into the cache anew. What cannot be loaded
  /// or decoded is not kept.
  func loadImage(from url: URL) -> AnyPublisher<Image?, Never> {
    Deferred { [cache, source] () -> AnyPublisher<Image?, Never> in
      if let picture = cache.value(for: url) { return Just(picture.image).eraseToAnyPublisher() }

      return source.dataPublisher(with: url)
        .map { Picture($0.data) }
        .catch { _ in Just(nil) }
        .handleEvents(receiveOutput: { picture in cache.insert(picture, for: url) })
        .map { $0?.image }
        .eraseToAnyPublisher()
    }
    .subscribe(on: background)
    .receive(on: DispatchQueue.main)
    .eraseToAnyPublisher()
  }
}
