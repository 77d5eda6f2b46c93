import StreamImages
import Studio

extension Recipe {
  static let collage = Recipe("collage", "a collage of what is picked, six at most, and how many there are") {
    kitchen in
    let images = CurrentValueSubject<[Image], Never>([])
    let picked = PassthroughSubject<Image, Never>()
    let size = PixelSize(width: 120, height: 80)

    let preview =
      images
      .map { images in images.isEmpty ? nil : try? Image.collage(images: images, size: size) }
      .sink { collage in
        kitchen.say(
          "\(images.value.count) picked, \(collage.map { "a collage of \($0.size)" } ?? "nothing to show")")
      }
    // Before `share()`, so that all who listen end at the seventh. One upstream for both.
    let selection = picked.prefix { _ in images.value.count < 6 }.share()
    let hint = selection.sink { _ in
      kitchen.say("that is all: six are picked")
    } receiveValue: { _ in
    }
    let assignment = selection.map { images.value + [$0] }.assign(to: \.value, on: images)

    for number in 1...8 { picked.send(try Painting(number).image()) }
    for subscription in [preview, hint, assignment] { subscription.cancel() }
  }
}
