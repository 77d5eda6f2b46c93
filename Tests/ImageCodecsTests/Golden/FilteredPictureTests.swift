import ImageCodecs
import Testing

@Suite("Filters compared to other programs")
struct FilteredPictureTests {
  private func check(
    _ expected: String, above decibels: Double, _ filter: (Image) throws -> Image
  ) throws {
    let image = try filter(Files.image("picture.png"))

    let likeness = try image.visibleLikeness(to: Files.image("expected-\(expected).png"))
    #expect(likeness >= decibels, "\(likeness) dB")
  }

  @Test("Blurring matches vips")
  func blur() throws {
    // Beyond the edges vips goes on with the picture as well.
    try check("blur-3", above: 42) { try $0.blurred(radius: 3) }
  }

  @Test("Resizing matches ImageMagick")
  func resize() throws {
    try check("half", above: 45) { try $0.resized(to: ResizeTarget(width: 48, height: 36)) }
  }

  @Test("Resizing in linear light matches ImageMagick")
  func resizeLight() throws {
    try check("half-light", above: 42) {
      try $0.resized(to: ResizeTarget(width: 48, height: 36, light: .linear))
    }
  }

  @Test("Soft-light blending matches ImageMagick")
  func softLight() throws {
    try check("soft-light", above: 45) {
      try $0.blended(with: Image.Pixel(red: 40, green: 120, blue: 200), mode: .softLight)
    }
  }

  @Test("The sepia filter matches ImageMagick")
  func sepia() throws {
    try check("sepia", above: 45) { try $0.recolored(by: .sepia()) }
  }

  @Test("Sharpening, pixelating and padding match ImageMagick")
  func details() throws {
    try check("sharp", above: 40) { try $0.sharpened(radius: 1.5, amount: 0.8) }
    try check("squares", above: 45) { try $0.pixelated(side: 8) }
    try check("padded", above: 99) {
      try $0.padded(
        top: 14, left: 17, bottom: 14, right: 17, color: Image.Pixel(red: 200, green: 30, blue: 60))
    }
  }

  @Test("Trimming undoes the padding of ImageMagick")
  func trim() throws {
    let trimmed = try Files.image("expected-padded.png").trimmed()

    #expect(try trimmed.visibleLikeness(to: Files.image("picture.png")) >= 99)
  }

  @Test("A background and a watermark match ImageMagick")
  func layers() throws {
    let red = Image.Pixel(red: 200, green: 30, blue: 60)
    let mark = try Files.image("transparent.png")
    let flat = try mark.flattened(over: red)

    #expect(try flat.visibleLikeness(to: Files.image("expected-flat.png")) >= 50)
    try check("marked", above: 45) {
      try $0.watermarked(with: mark, at: Image.MarkPlacement(scale: 1 / 3.0, margin: 5), opacity: 0.6)
    }
  }

  @Test("Rounded corners match a supersampled mask of ImageMagick")
  func corners() throws {
    try check("rounded", above: 33) { try $0.rounded(radius: 20) }
  }
}
