import StreamImages
import Studio

extension Recipe {
  static let staleWhileRevalidate = Recipe(
    "staleWhileRevalidate", "what the caches have, then what is there now, if it is another"
  ) { kitchen in
    let (old, new) = (try kitchen.reply(1), try kitchen.reply(1, width: 120))
    let request = ImageRequest(url: kitchen.serve("cover.png", old, old, new))
    let fresh = kitchen.pipeline.staleWhileRevalidate(request)

    for time in ["nothing in the caches", "nothing new", "something new"] {
      try await fresh.run { response in
        let source = response.cacheSource.map { "from \($0)" } ?? "from \(response.origin)"
        kitchen.say("\(time): \(response.image.size) \(source)")
      }
    }
  }
}
