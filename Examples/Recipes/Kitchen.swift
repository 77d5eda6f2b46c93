import Foundation
import LoopbackServer
import class LoopbackServer.Gate
import StreamImages
import Studio

/// What every recipe needs: a server with paintings, and a pipeline with nothing in its caches but what it makes.
@MainActor
final class Kitchen {
  /// Shown where there is no picture.
  let failureImage: Image
  /// Without a cache on disk, so that each run is like the first.
  let pipeline: ImagePipeline
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    failureImage = try Image(width: 32, height: 32, pixelFormat: .rgb8)
    pipeline = Self.pipeline()
  }

  static func pipeline(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
    ImagePipeline {
      $0.dataLoader = SchemeLoader.withoutProxy
      $0.dataCache = nil
      $0.imageCache = ImageCache()
      configure(&$0)
    }
  }

  func close() { server.stop() }

  // MARK: Ingredients

  /// Where a painting of 240 × 160 pixels is.
  func painting(_ number: Int) throws -> URL { serve("painting-\(number).png", try reply(number)) }

  /// Where nothing is.
  var missing: URL { server.url("/missing.png") }

  /// Where a painting is that does not come.
  func endless() throws -> URL {
    let gate = try Gate()
    return serve("endless.png", try reply(1).with { $0.gate = gate })
  }

  func reply(_ number: Int, width: Int = 240) throws -> Reply {
    let image = try Painting(number, width: width, height: width * 2 / 3).image()
    return .bytes(Data(try ImageEncoder.encode(image, as: .png)), type: "image/png")
  }

  /// - Returns: The address of what is answered in this way from now on.
  @discardableResult
  func serve(_ name: String, _ replies: Reply...) -> URL {
    server.serve("/\(name)", inTurn: replies)
    return server.url("/\(name)")
  }

  /// The same picture, a quarter as wide.
  func small(_ url: URL) -> ImageRequest { ImageRequest(url: url, processors: [.resize(width: 60)]) }

  // MARK: What is to be seen

  func say(_ text: String) { Console.say(text) }

  /// What the server was asked for, in order.
  var orders: [String] { server.requests.map { String($0.path.dropFirst()) } }

  /// Returns when the server was asked for what is at a URL.
  func order(of url: URL) async {
    _ = await server.event {
      if case .requested(let request) = $0 { request.path == url.path } else { false }
    }
  }

  /// Returns when the client has left without what is at a URL.
  func departure(from url: URL) async {
    _ = await server.event { event in
      if case .answered(let request, .clientLeft, _) = event { request.path == url.path } else { false }
    }
  }
}
