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

  @Test("Rounded corners match a supersampled mask of ImageMagick")
  func corners() throws {
    try check("rounded", above: 33) { try $0.rounded(radius: 20) }
  }
}
