import StreamImages
import Studio

extension Recipe {
  static let visibleSize = Recipe("visibleSize", "the size that is seen, in steps, so that caches stay small")
  { kitchen in
    let cache = ImageCache()
    let pipeline = Kitchen.pipeline { $0.imageCache = cache }
    let url = try kitchen.painting(1)
    let widths = PassthroughSubject<Double, Never>()

    let pictures =
      widths
      .map { ($0 / 40).rounded(.up) * 40 }
      .removeDuplicates()
      .map { width in
        pipeline.imagePublisher(with: ImageRequest(url: url, processors: [.resize(width: width)])).orEmpty()
      }
      .switchToLatest()
      .prefix(2)

    // A window that somebody drags.
    Task { for width in [91.0, 97, 103, 118] { widths.send(width) } }
    try await pictures.run { picture in
      kitchen.say("\(picture.image.size)")
      for width in [121.0, 130, 159] { widths.send(width) }
    }
    kitchen.say("\(cache.totalCount) images in memory")
  }
}
