import StreamImages
import Studio

extension Recipe {
  static let cachedVariant = Recipe(
    "cachedVariant", "a cached size of the image, until the requested one arrives"
  ) {
    kitchen in
    let url = try kitchen.painting(1)
    let small = kitchen.small(url)
    _ = try await kitchen.pipeline.image(for: small)

    try await kitchen.pipeline.imagePublisher(with: url)
      .prependingCached(of: [small], in: kitchen.pipeline)
      .run { response in
        kitchen.say("\(response.isPreview ? "in the meantime" : "the image"): \(response.image.size)")
      }
  }
}
