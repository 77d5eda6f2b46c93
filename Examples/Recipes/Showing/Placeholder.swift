import StreamImages
import Studio

extension Recipe {
  static let placeholder = Recipe("placeholder", "a placeholder first, at once, then a small image") {
    kitchen in
    let url = try kitchen.painting(1)
    // An index of images would have it, beside the URL.
    let hash = try ThumbHash("U/gFbZiwh4exiIeLiHh4iIBgCPln")

    try await kitchen.pipeline.lowThenHigh(kitchen.small(url), ImageRequest(url: url))
      .prependingPlaceholder(try hash.image(), of: kitchen.small(url))
      .run { response in
        kitchen.say("\(response.isPreview ? "the placeholder" : "the image"): \(response.image.size)")
      }
  }
}
