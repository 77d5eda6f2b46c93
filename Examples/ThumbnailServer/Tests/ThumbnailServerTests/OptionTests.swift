import Foundation
import Hummingbird
import HummingbirdTesting
import StreamImages
import Testing
import ThumbnailServer

/// The colors of `quarters.png`, and of what can be beside it.
private enum Color: Character {
  case red = "R", green = "G", blue = "B", white = "W", orange = "O", clear = "_"

  init?(_ pixel: Image.Pixel) {
    switch (pixel.red > 128, pixel.green > 200, pixel.blue > 128, pixel.alpha > 128) {
    case (_, _, _, false): self = .clear
    case (true, true, true, _): self = .white
    case (true, false, false, _): self = pixel.green > 80 ? .orange : .red
    case (false, true, false, _): self = .green
    case (false, false, true, _): self = .blue
    default: return nil
    }
  }
}

extension Image {
  /// The colors near the corners and of the middle: top left, top right, bottom left, bottom right.
  fileprivate var corners: String {
    let (right, bottom) = (width - 1 - width / 10, height - 1 - height / 10)
    return String(
      [(width / 10, height / 10), (right, height / 10), (width / 10, bottom), (right, bottom)].map { x, y in
        pixel(x: x, y: y).flatMap { Color($0) }?.rawValue ?? "?"
      })
  }
}

@Suite("An option of a thumbnail", .timeLimit(.minutes(5)))
struct OptionTests {
  @Test(
    "changes the image as it says",
    arguments: [
      ("w=100", 100, 50, "RGBW"), ("h=100", 200, 100, "RGBW"), ("w=50&h=50", 50, 25, "RGBW"),
      ("w=50&dpr=2", 100, 50, "RGBW"), ("w=1000", 400, 200, "RGBW"), ("w=800&enlarge=1", 800, 400, "RGBW"),
      ("w=100&h=100&fit=cover", 100, 100, "RGBW"),
      ("w=100&h=100&fit=cover&gravity=left", 100, 100, "RRBB"),
      ("w=100&h=100&fit=cover&gravity=top-right", 100, 100, "GGWW"),
      ("w=100&h=100&fit=cover&focus=1,0.5", 100, 100, "GGWW"),
      ("w=100&h=100&fit=fill&bg=ff8800", 100, 100, "OOOO"),
      ("w=100&h=100&fit=fill", 100, 100, "WWWW"), ("w=100&h=100&fit=fill&bg=00000000", 100, 100, "____"),
      ("w=100&rotate=90", 100, 200, "BRWG"), ("w=100&rotate=180", 100, 50, "WBGR"),
      ("w=100&rotate=270", 100, 200, "GWRB"), ("w=100&flip=h", 100, 50, "GRWB"),
      ("w=100&flip=v", 100, 50, "BWRG"), ("w=100&flip=hv", 100, 50, "WBGR"),
      ("w=100&h=100&fit=cover&rotate=90&gravity=top", 100, 100, "BRBR"),
      ("w=50&crop=200,0,200,100", 50, 25, "GGGG"), ("w=50&crop=200,100&gravity=bottom-left", 50, 25, "BBBB"),
      ("w=50&crop=200,100,bottom-right", 50, 25, "WWWW"),
      ("w=100&blur=1&sharpen=1", 100, 50, "RGBW"), ("w=100&pixelate=10", 100, 50, "RGBW"),
      ("w=100&pad=20&bg=ff8800", 140, 90, "OOOO"), ("w=100&pad=0,100,0,0", 200, 50, "RWBW"),
      ("w=100&pad=5&dpr=2", 220, 120, "RGBW"),
    ])
  func images(_ query: String, _ width: Int, _ height: Int, _ corners: String) async throws {
    try await withServers { client, origin, _ in
      let answer = try await client.thumbnail("url=\(origin)/quarters.png&format=png&\(query)")

      let image = try ImageDecoder.decode(answer.body.readableBytesView)
      #expect(image.size == PixelSize(width: width, height: height))
      #expect(image.corners == corners)
    }
  }

  @Test(
    "makes no side longer than the limit, whatever the shape of the image",
    arguments: [
      ("w=100&enlarge=1&crop=10,100", 10, 100), ("h=100&enlarge=1&crop=100,10", 100, 10),
      ("w=90&crop=100,200", 50, 100), ("w=100&rotate=90&crop=200,20", 10, 100),
      ("w=50&pad=25", 100, 75), ("h=25&enlarge=1&crop=400,20&pad=0,10", 100, 4),
      ("w=100&h=100&fit=cover&enlarge=1&gravity=top&crop=1,200", 100, 100),
      ("w=90&h=30&fit=cover&enlarge=1&focus=1,1&crop=200,1", 90, 30),
    ])
  func longestSide(_ query: String, _ width: Int, _ height: Int) async throws {
    try await withServers {
      $0.maximumSide = 100
    } _: { client, origin, _ in
      let answer = try await client.thumbnail("url=\(origin)/quarters.png&format=png&\(query)")

      let image = try ImageDecoder.decode(answer.body.readableBytesView)
      #expect(image.size == PixelSize(width: width, height: height))
    }
  }

  @Test("enlarges the part of the image that a crop keeps, and not first all of it")
  func enlargedCrop() async throws {
    try await withServers { client, origin, _ in
      // Enlarged to the width, the strip would have 204,800 rows.
      let strip = "url=\(origin)/quarters.png&format=png&crop=199,0,2,200&fit=cover&enlarge=1"
      for (gravity, corners) in [("top", "RGRG"), ("bottom", "BWBW")] {
        let answer = try await client.thumbnail("\(strip)&w=2048&h=1024&gravity=\(gravity)")

        let image = try ImageDecoder.decode(answer.body.readableBytesView)
        #expect(image.size == PixelSize(width: 2048, height: 1024))
        #expect(image.corners == corners)
      }
    }
  }

  @Test("trim cuts off the edges before the size is reached")
  func trimming() async throws {
    try await withServers { client, origin, _ in
      let url = "url=\(origin)/framed.png&format=png&w=50"
      let framed = try await client.thumbnail(url)
      let trimmed = try await client.thumbnail("\(url)&trim=0.1")

      #expect(try ImageDecoder.decode(framed.body.readableBytesView).corners == "WWWW")
      let image = try ImageDecoder.decode(trimmed.body.readableBytesView)
      #expect(image.size == PixelSize(width: 40, height: 20) && image.corners == "BBBB")
    }
  }

  @Test("attention keeps the part with a color, and blur makes the edges between colors soft")
  func attentionAndBlur() async throws {
    try await withServers { client, origin, _ in
      let url = "url=\(origin)/quarters.png&format=png&w=100"
      let attentive = try await client.thumbnail("\(url)&h=50&crop=100,50,attention")
      let sharp = try await client.thumbnail(url)
      let soft = try await client.thumbnail("\(url)&blur=10")

      #expect(try ImageDecoder.decode(attentive.body.readableBytesView).corners != "WWWW")
      func middle(_ response: TestResponse) throws -> Image.Pixel? {
        try ImageDecoder.decode(response.body.readableBytesView).pixel(x: 45, y: 20)
      }
      #expect(try middle(sharp)?.green == 0)
      #expect(try (middle(soft)?.green ?? 0) > 40)
    }
  }

  @Test(
    "of format and quality is kept, whatever the client accepts, and an answer of a fixed format does not vary"
  )
  func formatAndQuality() async throws {
    try await withServers { client, origin, _ in
      let url = "url=\(origin)/quarters.png&w=200"
      let jpeg = try await client.thumbnail("\(url)&format=jpeg", [.accept: "image/webp"])
      let low = try await client.thumbnail("\(url)&format=jpeg&q=5", [.accept: "image/webp"])
      let automatic = try await client.thumbnail(url)
      let automaticLow = try await client.thumbnail("\(url)&q=5")

      #expect(jpeg.headers[.contentType] == "image/jpeg" && jpeg.headers[.vary] == nil)
      #expect(automatic.headers[.contentType] == "image/jpeg" && automatic.headers[.vary] == "Accept")
      #expect(low.body.readableBytes < jpeg.body.readableBytes)
      #expect(automaticLow.body.readableBytes < automatic.body.readableBytes)
    }
  }

  @Test("for a watermark puts that of the server over the image, and is refused without one")
  func watermark() async throws {
    let mark = try Image(bytes: [255, 136, 0].repeated(10 * 10), width: 10, height: 10, pixelFormat: .rgb8)
    try await withServers { client, origin, _ in
      let refused = try await client.thumbnail("url=\(origin)/quarters.png&w=100&wm=1")
      #expect(refused.status == .badRequest && String(buffer: refused.body) == "query.wm\n")
    }
    try await withServers {
      var settings = Thumbnails.Mark(mark)
      (settings.anchor, settings.scale) = (.topLeft, 0.3)
      $0.watermark = settings
    } _: { client, origin, _ in
      let marked = try await client.thumbnail("url=\(origin)/quarters.png&w=100&wm=1&format=png")
      #expect(try ImageDecoder.decode(marked.body.readableBytesView).corners == "OGBW")
    }
  }

  @Test(
    "that is not valid, unknown or written twice is refused with its name",
    arguments: [
      ("w=10&fit=fill", "query.h"), ("w=10&dpr=9", "query.dpr"), ("w=2000&dpr=2", "query.dpr"),
      ("w=10&gravity=middle", "query.gravity"), ("w=10&focus=2,0", "query.focus"),
      ("w=10&gravity=top&focus=0,0", "query.focus"), ("w=10&bg=red", "query.bg"),
      ("w=10&crop=1,2,3", "query.crop"), ("w=10&crop=0,0,0,5", "query.crop"),
      ("w=10&crop=99999999999999999999,1", "query.crop"), ("w=10&rotate=45", "query.rotate"),
      ("w=10&flip=d", "query.flip"), ("w=10&trim=2", "query.trim"), ("w=10&pad=", "query.pad"),
      ("w=10&pad=1,2,3,4,5", "query.pad"), ("w=10&pad=2000&dpr=2", "query.pad"),
      ("w=2000&pad=0,30", "query.pad"), ("h=1&pad=1024,0", "query.pad"), ("w=1&pad=1024,0", "query.pad"),
      ("w=10&pixelate=0", "query.pixelate"), ("w=10&blur=nan", "query.blur"), ("w=10&blur=101", "query.blur"),
      ("w=10&sharpen=-1", "query.sharpen"), ("w=10&q=0", "query.q"), ("w=10&format=gif", "query.format"),
      ("w=10&preset=none", "query.preset"), ("w=10&expires=soon", "query.expires"),
      ("w=10&w=20", "query.w"), ("w=10&width=20", "query.unknown-option"), ("w=", "query.w"),
    ])
  func refusals(_ query: String, _ code: String) async throws {
    try await withServers { client, origin, _ in
      let answer = try await client.thumbnail("url=\(origin)/image.png&\(query)")

      #expect(answer.status == .badRequest)
      #expect(String(buffer: answer.body) == code + "\n")
    }
  }

  @Test(
    "in a preset has an effect unless the client names the option itself, and the preset default is for all")
  func presets() async throws {
    try await withServers {
      try! $0.options.addPreset("small", "w=20&h=20&fit=cover")
      try! $0.options.addPreset("flat", "h=10")
      try! $0.options.addPreset("default", "format=png")
    } _: { client, origin, _ in
      func size(_ query: String) async throws -> PixelSize {
        let answer = try await client.thumbnail(
          "url=\(origin)/quarters.png&\(query)", [.accept: "image/webp"])
        #expect(answer.headers[.contentType] == "image/png")
        return try ImageDecoder.decode(answer.body.readableBytesView).size
      }

      for (query, expected) in [
        ("preset=small", PixelSize(width: 20, height: 20)),
        ("preset=small,flat", PixelSize(width: 20, height: 10)),
        ("preset=small&w=40", PixelSize(width: 40, height: 20)), ("w=40", PixelSize(width: 40, height: 20)),
      ] {
        let found = try await size(query)
        #expect(found == expected, "\(query)")
      }
    }
  }

  @Test("for the part that is kept replaces the other option for that in a preset")
  func presetPositions() async throws {
    try await withServers {
      try! $0.options.addPreset("left", "w=100&h=100&fit=cover&gravity=left")
      try! $0.options.addPreset("right", "w=100&h=100&fit=cover&focus=1,0.5")
    } _: { client, origin, _ in
      for (query, corners) in [
        ("preset=left&focus=1,0.5", "GGWW"), ("preset=right&gravity=left", "RRBB"),
        ("preset=left,right", "GGWW"), ("preset=right,left", "RRBB"),
      ] {
        let answer = try await client.thumbnail("url=\(origin)/quarters.png&format=png&\(query)")

        #expect(answer.status == .ok, "\(query)")
        #expect(try ImageDecoder.decode(answer.body.readableBytesView).corners == corners, "\(query)")
      }
    }
  }

  @Test("that is not on the list of the operator is refused, except in a preset")
  func allowed() async throws {
    try await withServers {
      try! $0.options.addPreset("small", "w=20")
      try! $0.options.allow(only: ["preset"])
    } _: { client, origin, _ in
      let refused = try await client.thumbnail("url=\(origin)/image.png&w=10")
      let preset = try await client.thumbnail("url=\(origin)/image.png&preset=small")

      #expect(refused.status == .forbidden && String(buffer: refused.body) == "server.option-refused\n")
      #expect(preset.status == .ok)
    }
  }

  @Test("in the settings that does not exist is an error at the start")
  func settings() {
    var policy = OptionPolicy()
    #expect(throws: ConfigurationError.self) { try policy.addPreset("a", "width=3") }
    #expect(throws: ConfigurationError.self) { try policy.addPreset("a", "") }
    #expect(throws: ConfigurationError.self) { try policy.addPreset("a", "w=1&w=2") }
    #expect(throws: ConfigurationError.self) { try policy.allow(only: ["width"]) }
  }

  @Test("v loads the image again under another version", arguments: ["/thumb?w=10&", "/info?"])
  func version(_ start: String) async throws {
    try await withServers { client, origin, server in
      for (version, count) in [("1", 1), ("1", 1), ("2", 2)] {
        let uri = "\(start)url=\(origin)/image.png&v=\(version)"
        let status = try await client.execute(uri: uri, method: .get) { $0.status }

        #expect(status == .ok && server.requests.count == count)
      }
    }
  }
}

extension Array {
  fileprivate func repeated(_ count: Int) -> [Element] { (0..<count).flatMap { _ in self } }
}
