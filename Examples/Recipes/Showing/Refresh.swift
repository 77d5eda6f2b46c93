import StreamImages
import Studio

extension Recipe {
  static let refresh = Recipe("refresh", "loads again at each tick, and keeps the image meanwhile") {
    kitchen in
    let pipeline = kitchen.pipeline
    let (old, new) = (try kitchen.reply(1), try kitchen.reply(1, width: 120))
    let request = ImageRequest(url: kitchen.serve("camera.png", old, old, new))
    let ticks = PassthroughSubject<Void, Never>()

    // A count in place of a clock: each look ends before the next begins.
    let looks = ticks.map { pipeline.staleWhileRevalidate(request).orEmpty().map(\.image).collect() }
      .switchToLatest()
    var shown: Image?
    Task { ticks.send() }
    try await looks.prefix(3).run { images in
      for image in images where image != shown {
        kitchen.say("look \(kitchen.orders.count): \(image.size)")
        shown = image
      }
      ticks.send()
    }
    kitchen.say("asked \(kitchen.orders.count) times, shown twice")
  }
}
