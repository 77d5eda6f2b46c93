import Foundation
import LoopbackServer
import StreamImages
import Studio

extension Recipe {
  static let drawing = Recipe("drawing", "an SVG document, drawn at the size that is requested") { kitchen in
    let document = """
      <svg xmlns="http://www.w3.org/2000/svg" width="24" height="16">
        <rect width="24" height="16" fill="#204080"/><circle cx="12" cy="8" r="6" fill="#ffc020"/>
      </svg>
      """
    let url = kitchen.serve("drawing.svg", .bytes(Data(document.utf8), type: "image/svg+xml"))

    do throws(ImagePipeline.Error) {
      _ = try await kitchen.pipeline.image(for: url)
    } catch {
      kitchen.say("without its decoder: \(error.code)")
    }
    let registry = ImageDecoderRegistry()
    do throws(ImageCodecError) {
      registry.register(try SVGDecoder())
    } catch {
      return kitchen.say("librsvg is not installed")
    }
    let pipeline = Kitchen.pipeline { $0.decoderRegistry = registry }
    kitchen.say("at its size: \(try await pipeline.image(for: url).size)")
    let large = ImageRequest(url: url, processors: [.resize(width: 240, upscale: true)])
    kitchen.say("ten times as large: \(try await pipeline.image(for: large).size)")
  }
}
