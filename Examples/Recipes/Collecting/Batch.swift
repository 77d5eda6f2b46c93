import StreamImages
import Studio
import Synchronization

extension Recipe {
  static let batch = Recipe("batch", "many images, four at a time, in their order") { kitchen in
    let pipeline = kitchen.pipeline
    var urls = try (1...12).map(kitchen.painting)
    urls[4] = kitchen.missing
    let tracker = ActivityTracker()
    let most = Mutex(0)
    let counting = tracker.counts.sink { count in most.withLock { $0 = max($0, count) } }

    await urls.enumerated().map { ($0.offset, $0.element) }.publisher
      .flatMap(maxPublishers: .max(4)) { index, url in
        pipeline.imagePublisher(with: url).orNil().trackActivity(tracker).map { (index, $0?.image) }
      }
      .collect()
      .run { found in
        // They come as they are ready, each with its place.
        let images = found.sorted { $0.0 < $1.0 }.map(\.1)
        let missing = images.indices.filter { images[$0] == nil }
        kitchen.say("\(images.count - missing.count) of \(images.count); without the one at \(missing)")
      }
    counting.cancel()
    kitchen.say("at most \(most.withLock { $0 }) at a time")
  }
}
