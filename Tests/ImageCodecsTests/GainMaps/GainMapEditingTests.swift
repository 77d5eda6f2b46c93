import ImageCodecs
import Testing

@Suite("Gain maps: editing")
struct GainMapEditingTests {
  private static let edits: [(String, @Sendable (Image) throws -> Image)] = [
    ("half the size", { try $0.resized(to: .fitting(256)) }),
    ("a thumbnail", { try $0.resized(to: .fitting(64)) }),
    ("a square", { try $0.resized(to: ResizeTarget(width: 150, height: 150, crops: true)) }),
    ("larger", { try $0.resized(to: ResizeTarget(width: 700, height: nil, upscales: true)) }),
    ("a part", { try $0.cropped(x: 101, y: 53, width: 203, height: 151) }),
    (
      "a part of a half", { try $0.resized(to: .fitting(256)).cropped(x: 37, y: 11, width: 117, height: 133) }
    ),
    ("a half of a part", { try $0.cropped(x: 13, y: 7, width: 333, height: 301).resized(to: .fitting(160)) }),
    ("turned", { try $0.turned(degrees: 90).resized(to: .fitting(256)) }),
    (
      "mirrored",
      { try $0.flipped(horizontally: true, vertically: false).cropped(x: 5, y: 9, width: 99, height: 98) }
    ),
  ]

  @Test("HDR after an edit is within 45 dB of editing HDR", arguments: edits.indices)
  func edited(index: Int) throws {
    let (name, edit) = Self.edits[index]
    let photograph = try GainMaps.photograph()

    let late = try edit(photograph).highDynamicRange().roots()
    let early = try edit(photograph.highDynamicRange().roots())

    let likeness = late.wideLikeness(to: early)
    #expect(likeness > 45, "\(name): \(likeness) dB")
    // The gains are a large part of it.
    #expect(
      try edit(photograph).highDynamicRange(headroom: 0).roots().wideLikeness(to: early) < 30, "\(name)")
  }

  @Test("Cropping to a pixel keeps a gain map of a pixel")
  func pixel() throws {
    let photograph = try GainMaps.photograph()
    for (x, y) in [(0, 0), (511, 383), (250, 100)] {
      let map = try photograph.cropped(x: x, y: y, width: 1, height: 1).gainMap?.image
      #expect(map?.size == PixelSize(width: 1, height: 1))
    }
  }

  @Test("Cropping is not limited, as it is not without a gain map")
  func unlimited() throws {
    var image = try Image(width: 8_192, height: 6_400, pixelFormat: .gray8)
    image.gainMap = try GainMap(image: image, metadata: GainMaps.metadata)

    let part = try image.cropped(x: 1, y: 0, width: 8_191, height: 6_400)

    #expect(part.gainMap?.image.size == part.size)
  }

  @Test("Filters that change colors or the area drop the gain map")
  func dropped() throws {
    let photograph = try GainMaps.photograph().cropped(x: 0, y: 0, width: 64, height: 64)
    let white = Image.Pixel.white
    let results: [Image] = [
      try photograph.blurred(radius: 2), try photograph.sharpened(radius: 1, amount: 1),
      try photograph.recolored(by: .sepia()), try photograph.recolored(gamma: 2),
      try photograph.vignetted(start: 0, amount: 1), try photograph.pixelated(side: 4),
      try photograph.blended(with: white), try photograph.padded(top: 1, color: white),
      try photograph.rounded(radius: 3), try photograph.turned(degrees: 10),
    ]

    #expect(photograph.gainMap != nil)
    #expect(results.allSatisfy { $0.gainMap == nil })
  }

  @Test("Fewer bits and sRGB keep the gain map")
  func kept() throws {
    let photograph = try GainMaps.photograph()
    var wide = try Samples.picture(20, 10, .rgb16)
    wide.gainMap = photograph.gainMap
    var profiled = try Files.image("wide.jpg", .asStored)
    profiled.gainMap = photograph.gainMap

    #expect(try wide.reducedTo8Bits().gainMap == photograph.gainMap)
    #expect(try profiled.convertedToSRGB().gainMap == photograph.gainMap)
  }
}
