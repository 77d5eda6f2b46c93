import StreamImages
import Studio

extension Recipe {
  static let placeholder = Recipe("placeholder", "a placeholder first, at once") { kitchen in
    let placeholder = kitchen.failureImage

    try await kitchen.pipeline.imagePublisher(with: try kitchen.painting(1))
      .map(\.image)
      .prepend(placeholder)
      .run { image in kitchen.say(image == placeholder ? "the placeholder" : "\(image.size)") }
  }
}
