import Foundation
import LoopbackServer
import class LoopbackServer.Gate
import StreamImages
import Studio

extension Recipe {
  static let progressive = Recipe("progressive", "previews of an image while its bytes arrive") { kitchen in
    let painting = try Painting(1).image()
    let bytes = Data(try ImageEncoder.encode(painting, as: .jpeg(progressive: true)))
    let gate = try Gate()
    let url = kitchen.serve(
      "progressive.jpg",
      .bytes(bytes, type: "image/jpeg").with { $0.bodyGate = (afterBytes: bytes.count * 3 / 4, gate: gate) })
    let pipeline = Kitchen.pipeline { $0.isProgressiveDecodingEnabled = true }

    var previews = 0
    try await pipeline.imagePublisher(with: url).run { response in
      guard response.isPreview else {
        return kitchen.say(
          "the image: \(response.image.size), \(response.byteCount == bytes.count ? "all" : "some") of its bytes"
        )
      }
      previews += 1
      if previews == 1 { kitchen.say("a preview: \(response.image.size), some of its bytes") }
      gate.open()
    }
  }
}
