import Foundation
import Dispatch
import StreamImages
import StreamsTesting

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
      .values

    for name in ["p", "painting", "painting-4", "painting-42"] { names.send(name) }
    await scheduler.advance(by: .milliseconds(300))
    for await (name, size) in found {
      kitchen.say("\(name): \(size.map { "\($0)" } ?? "nothing")")
      // Back and forth within the pause is nothing new.
      names.send("painting-4")
      names.send("painting-42")
      await scheduler.advance(by: .milliseconds(300))
      names.send("painting-41")
      await scheduler.advance(by: .milliseconds(300))
    }
    kitchen.say("asked for: \(kitchen.orders.joined(separator: ", "))")
  }
}
