import Foundation
import Dispatch
import StreamImages
import StreamsTesting
import Studio

extension Recipe {
  static let search = Recipe("search", "thumbnails for what is typed, not for what is typed over") {
    kitchen in
    let (pipeline, names) = (kitchen.pipeline, PassthroughSubject<String, Never>())
    let address = try kitchen.painting(42).deletingLastPathComponent()
    let scheduler = DispatchQueue.test

    let found =
      names
      .debounce(for: .milliseconds(300), scheduler: scheduler)
      .removeDuplicates()
      .map { name in
        pipeline.imagePublisher(with: address.appending(path: "\(name).png")).orNil().map {
          (name, $0?.image.size)
        }
      }
      .switchToLatest()
      .prefix(2)

    func type(_ words: String...) {
      for word in words { names.send(word) }
      scheduler.advance(by: .milliseconds(300))
    }
    // Once somebody listens.
    Task { type("p", "painting", "painting-4", "painting-42") }
    await found.run { name, size in
      kitchen.say("\(name): \(size.map { "\($0)" } ?? "nothing")")
      // Back and forth within the pause is nothing new.
      type("painting-4", "painting-42")
      type("painting-41")
    }
    kitchen.say("asked for: \(kitchen.orders.joined(separator: ", "))")
  }
}
