import StreamImages
import Studio

extension Recipe {
  static let severalAtOnce = Recipe(
    "severalAtOnce", "three images as one value; one may fail without the others"
  ) {
    kitchen in
    let first = kitchen.pipeline.imagePublisher(with: try kitchen.painting(1))
    let second = kitchen.pipeline.imagePublisher(with: kitchen.missing)
    let third = kitchen.pipeline.imagePublisher(with: try kitchen.painting(3))

    await first.orNil().zip(second.orNil(), third.orNil()).run { pictures in
      let sizes = [pictures.0, pictures.1, pictures.2].map { $0.map { "\($0.image.size)" } ?? "none" }
      kitchen.say(sizes.joined(separator: ", "))
    }
  }
}
