import StreamImages
import Studio

extension Recipe {
  static let lowThenHigh = Recipe("lowThenHigh", "the small image, then the large one") { kitchen in
    let url = try kitchen.painting(1)
    let (small, large) = (kitchen.small(url), ImageRequest(url: url))

    try await kitchen.pipeline.lowThenHigh(small, large).run { response in
      kitchen.say("\(response.image.size)")
    }

    // If high is in memory, low is left out. If low fails, that is no matter.
    try await kitchen.pipeline.lowThenHigh(small, large).run { response in
      kitchen.say("again: \(response.image.size)")
    }
    kitchen.pipeline.cache[large] = nil
    try await kitchen.pipeline.lowThenHigh(ImageRequest(url: kitchen.missing), large).run { response in
      kitchen.say("without low: \(response.image.size)")
    }
  }
}
