import StreamImages
import Studio

extension Recipe {
  static let failureImage = Recipe("failureImage", "a failure image, which meets its frame in another way") {
    kitchen in
    let failed = (image: kitchen.failureImage, mode: ImageContentMode.fit)

    for url in [try kitchen.painting(1), kitchen.missing] {
      await kitchen.pipeline.imagePublisher(with: url)
        .map { (image: $0.image, mode: ImageContentMode.fill) }
        // It never fails from here on.
        .catch { _ in Just(failed) }
        .run { picture in kitchen.say("\(picture.image.size), \(picture.mode)") }
    }
  }
}
