import StreamImages
import Studio

extension Recipe {
  static let activity = Recipe("activity", "whether anything is under way, for an indicator") { kitchen in
    let tracker = ActivityTracker()
    let urls = try [1, 2, 3].map(kitchen.painting) + [kitchen.missing]
    var loads: [AnyCancellable] = []

    await tracker.isActive.prefix(3).run { isActive in
      kitchen.say(isActive ? "the indicator turns" : "the indicator rests")
      guard loads.isEmpty else { return }
      // Counted once each, however they end.
      let all = urls.publisher
        .flatMap { [pipeline = kitchen.pipeline] url in pipeline.imagePublisher(with: url).orNil() }
        .trackActivity(tracker)
      loads.append(all.sink { _ in })
    }
    kitchen.say("under way: \(tracker.count)")
  }
}
