import Foundation
import StreamImages
import Testing

/// Identifiers are part of the keys on disk: one that changes here makes what programs have stored useless.
@Suite("Texts of processor identifiers")
struct IdentifierTextTests {
  private static let color = Image.Pixel(red: 0x12, green: 0xF0, blue: 0x0F, alpha: 0x80)
  private static let box = CGSize(width: 5, height: 6)
  private static let points = ImageProcessors.Unit.points(scale: 4)

  private static let table: [(any ImageProcessing, String)] = [
    (.circle(), "circle"),
    (.circle(border: .init(color: color)), "circle border 1.0 #12f00f80"),
    (.circle(border: .init(color: color, width: 2, unit: points)), "circle border 8.0 #12f00f80"),
    (.roundedCorners(radius: 3, unit: points), "rounded 12.0"),
    (.roundedCorners(radius: 3, border: .init(color: color)), "rounded 3.0 border 1.0 #12f00f80"),
    (.gaussianBlur(), "blur 8.0"), (.gaussianBlur(radius: 2, light: .linear), "blur 2.0 linear"),
    (.crop(size: box), "crop 5.0 6.0 anchor 0.5 0.5"),
    (.crop(size: box, unit: points, anchor: .topRight), "crop 20.0 24.0 anchor 1.0 0.0"),
    (.crop(size: box, focus: .bottomLeft), "crop 5.0 6.0 focus 0.0 1.0"),
    (.crop(size: box, to: .attention), "crop 5.0 6.0 to attention"),
    (.crop(CGRect(x: 1, y: 2, width: 3, height: 5), unit: points), "crop 12.0 20.0 at 4.0 8.0"),
    (.sharpen(), "sharpen 1.0 1.0"), (.sharpen(radius: 2, amount: 3), "sharpen 2.0 3.0"),
    (ImageProcessors.Sharpen(), "sharpen 1.0 1.0"),
    (.pixelate(), "pixelate 8.0"), (.pixelate(side: 2.1, unit: points), "pixelate 8.0"),
    (.trim(), "trim 0.04"), (.background(color), "background #12f00f80"),
    (.pad(1), "pad edges 1.0 1.0 1.0 1.0 #00000000"),
    (
      ImageProcessors.Pad(top: 1, left: 2, bottom: 3, right: 5, unit: points, color: color),
      "pad edges 4.0 8.0 12.0 20.0 #12f00f80"
    ),
    (ImageProcessors.Pad(), "pad edges 0.0 0.0 0.0 0.0 #00000000"),
    (.pad(to: box), "pad 5.0 6.0 anchor 0.5 0.5 #00000000"),
    (.pad(to: box, unit: points, anchor: .left, color: color), "pad 20.0 24.0 anchor 0.0 0.5 #12f00f80"),
    (.colorControls(), "colors 0.0 1.0 1.0"), (.exposure(stops: 1), "exposure 1.0"),
    (.colorControls(brightness: 2, contrast: 3, saturation: 5), "colors 2.0 3.0 5.0"),
    (.sepia(), "sepia 1.0"), (.monochrome(), "monochrome #ffffffff 1.0"),
    (.monochrome(color: color, intensity: 2), "monochrome #12f00f80 2.0"), (.invert(), "invert"),
    (
      ImageProcessors.Colors(.inversion),
      "matrix -1.0 0.0 0.0 1.0 0.0 -1.0 0.0 1.0 0.0 0.0 -1.0 1.0"
    ),
    (
      ImageProcessors.Colors(.identity, in: .linear),
      "matrix 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 0.0 linear"
    ),
    (.tint(color), "tint #12f00f80 sourceAtop 1.0"), (.overlay(color), "overlay #12f00f80 sourceAtop 0.5"),
    (.overlay(color, fraction: 0.25), "overlay #12f00f80 sourceAtop 0.75"),
    (.blend(color, mode: .multiply), "blend #12f00f80 multiply 1.0"),
    (.rotate(degrees: 10), "turn 10.0"), (.flip(), "turn 0.0"),
    (.flip(horizontally: true), "turn 0.0 horizontally"), (.flip(vertically: true), "turn 0.0 vertically"),
    (ImageProcessors.Turn(degrees: 5), "turn 5.0"),
    (.filter("a"), "filter \"a\""),
    (.filter("a\"b\\c", ["d": 2, "\"": 1]), "filter \"a\\\"b\\\\c\" \"\\\"\" 1.0 \"d\" 2.0"),
    (.process(id: "a") { $0 }, "anonymous a"), (.composition([]), "composition"),
    (.composition([.circle(), .filter("b")]), "composition \"circle\" \"filter \\\"b\\\"\""),
    (.resize(size: box), "resize 5.0x6.0 fill"),
    (.resize(size: box, contentMode: .aspectFit, upscale: true), "resize 5.0x6.0 fit upscale"),
    (
      .resize(size: box, unit: points, crop: true, upscale: true, light: .linear),
      "resize 20.0x24.0 fill crop upscale linear"
    ),
    (.resize(width: 5), "resize 5.0xany fit"),
    (.resize(height: 6, light: .linear), "resize anyx6.0 fit linear"),
  ]

  @Test("Each processor has the identifier that is stored on disk", arguments: table.indices)
  func texts(index: Int) {
    let (processor, text) = Self.table[index]

    #expect(processor.identifier == text)
  }

  @Test(
    "A processor with an image is identified by its parameters, and by the size, format and hash of its pixels"
  )
  func images() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    let mark = try Image(bytes: bytes, width: 2, height: 1, pixelFormat: .rgb8)
    let pixels = "2x1 rgb8 \(Integrity(of: Data(bytes)).sha256)"
    let table: [(any ImageProcessing, String)] = [
      (.blend(mark), "blend \(pixels) normal 1.0 0.5 0.5"),
      (ImageProcessors.Blend(mark), "blend \(pixels) normal 1.0 0.5 0.5"),
      (.blend(mark, mode: .screen, opacity: 0.25, anchor: .topRight), "blend \(pixels) screen 0.25 1.0 0.0"),
      (.watermark(mark), "watermark \(pixels) 1.0 1.0 unscaled 1.0 0.0"),
      (ImageProcessors.Watermark(mark), "watermark \(pixels) 1.0 1.0 unscaled 1.0 0.0"),
      (
        .watermark(
          mark, anchor: .bottomLeft, scale: 0.5, opacity: 0.25, margin: 2, unit: Self.points, repeats: true),
        "watermark \(pixels) 0.0 1.0 0.5 0.25 8.0 repeated"
      ),
    ]

    for (processor, text) in table { #expect(processor.identifier == text) }
  }
}
