import Foundation
import LoopbackServer
import StreamImages
import StreamsTesting
import Testing

@Suite(
  "`SVGDecoder`", .inRealTime, .enabled(if: (try? SVGDecoder()) != nil, "librsvg is not there"),
  .timeLimit(.minutes(20)))
struct SVGDecoderTests {
  private let bench = Bench()
  private let registry = ImageDecoderRegistry()

  private func document(_ content: String, prolog: String = "") -> Data {
    Data(
      (prolog + "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
        + "width='20' height='10'>\(content)</svg>").utf8)
  }

  private func pipeline() -> ImagePipeline {
    bench.pipeline {
      $0.decoderRegistry = registry
      $0.decoders = [ImageDecoders.Default()]
      $0.imageCache = nil
      $0.dataCache = nil
    }
  }

  @Test("SVG is decoded once `SVGDecoder` is registered, and before that an error names it")
  func optIn() async throws {
    bench.loader.answer(bench.url, with: document("<rect width='5' height='5' fill='red'/>"))

    let error = await pipeline().imageTask(with: bench.url).failure()
    guard case .notAnImage(.xml)? = error else { return unexpected(error) }
    #expect("\(ContentHint.xml)".contains("SVGDecoder"))

    try registry.register(SVGDecoder())
    let image = try await pipeline().image(for: bench.url)
    #expect(image.size == PixelSize(width: 20, height: 10))
    #expect(image.pixel(x: 4, y: 4) == Image.Pixel(red: 255, green: 0, blue: 0))
  }

  @Test("SVG is rendered at the size of the request")
  func size() async throws {
    bench.loader.answer(bench.url, with: document("<rect width='5' height='5' fill='red'/>"))
    try registry.register(SVGDecoder())
    var request = ImageRequest(url: bench.url)
    request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: 200)

    let image = try await pipeline().image(for: request)

    #expect(image.size == PixelSize(width: 200, height: 100))
    #expect(image.pixel(x: 49, y: 49)?.red == 255 && image.pixel(x: 50, y: 50)?.alpha == 0)
  }

  @Test("SVG decoding respects the limits of the pipeline and of the renderer")
  func limits() throws {
    let data = document("<rect/>")
    var limits = DecodingLimits()
    limits.maximumPixels = 100
    let context = ImageDecodingContext(request: "https://a/b", limits: limits)
    var renderer = try SVGRenderer()
    renderer.maximumElements = 1

    #expect(throws: ImageCodecError.self) { try SVGDecoder().byteCost(of: data, context) }
    #expect(throws: ImageCodecError.self) { try SVGDecoder().decode(data, context) }
    #expect(throws: ImageCodecError.limitExceeded(.elements(1))) {
      try SVGDecoder(renderer).decode(data, ImageDecodingContext(request: "https://a/b"))
    }
  }

  @Test("Rendering an SVG reads no external file and no network address")
  func references() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let red = document("<rect id='a' width='20' height='10' fill='red'/>")
    let style = Data("rect { fill: red }".utf8)
    for (name, data) in [("a.svg", red), ("a.png", try Pictures.png(20, 10)), ("a.css", style)] {
      try data.write(to: folder.url.appending(path: name))
      server.serve("/\(name)", .init(body: data))
    }
    let context = ImageDecodingContext(request: "https://a/b")

    for base in ["file://\(folder.url.path)", folder.url.path, server.url("").absoluteString] {
      let prefix = base.hasSuffix("/") ? base : base + "/"
      for content in [
        "<image xlink:href='\(prefix)a.png' width='20' height='10'/>",
        "<image xlink:href='\(prefix)a.svg' width='20' height='10'/>", "<use xlink:href='\(prefix)a.svg#a'/>",
        "<style>@import url('\(prefix)a.css');</style><rect width='20' height='10' fill='none'/>",
        "<rect width='20' height='10' fill=\"url('\(prefix)a.svg#a')\"/>",
        "<filter id='f'><feImage xlink:href='\(prefix)a.png'/></filter><rect width='20' height='10' filter='url(#f)'/>",
        "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\(prefix)a.svg'/>",
        "<text y='9'><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\(prefix)a.css' parse='text'/></text>",
      ] {
        let image = try SVGDecoder().decode(document(content), context)
        #expect(image.withUnsafeBytes { !$0.contains { $0 != 0 } }, "\(content)")
      }
      let sheet = "<?xml-stylesheet type='text/css' href='\(prefix)a.css'?>"
      let image = try SVGDecoder().decode(
        document("<rect width='20' height='10' fill='none'/>", prolog: sheet), context)
      #expect(image.withUnsafeBytes { !$0.contains { $0 != 0 } })
    }
    // What stands in the document itself is drawn.
    let own = try SVGDecoder().decode(
      document("<rect id='a' width='9' height='9' fill='red'/><use xlink:href='#a' x='10'/>"), context)
    #expect(own.pixel(x: 15, y: 5)?.red == 255)
    #expect(server.requests.isEmpty && server.events.isEmpty)
  }
}
