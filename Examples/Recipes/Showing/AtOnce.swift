import StreamImages

extension Recipe {
  static let atOnce = Recipe("atOnce", "what is in memory is there before subscribing returns: no flicker") {
    kitchen in
    let url = try kitchen.painting(1)
    var shown: Image?

    let first = kitchen.pipeline.imagePublisher(with: url).sink { _ in
    } receiveValue: {
      shown = $0.image
    }
    kitchen.say("not in memory: \(shown.map { "\($0.size)" } ?? "nothing yet")")
    first.cancel()

    _ = try await kitchen.pipeline.image(for: url)
    let second = kitchen.pipeline.imagePublisher(with: url).sink { _ in
    } receiveValue: {
      shown = $0.image
    }
    kitchen.say("in memory: \(shown.map { "\($0.size)" } ?? "nothing yet")")
    second.cancel()
  }
}
