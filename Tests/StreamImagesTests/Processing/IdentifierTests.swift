import Foundation
import StreamImages
import Testing

@Suite("the identifier of a processor")
struct IdentifierTests {
  private static let red = Image.Pixel(red: 255, green: 0, blue: 0)

  /// Each differs from all others in one parameter at least.
  private static func processors() throws -> [any ImageProcessing] {
    let mark = try Pictures.gradient(2, 3)
    let otherMark = try Pictures.gradient(3, 2)
    let box = CGSize(width: 5, height: 6)
    return [
      .circle(), .circle(border: .init(color: red)), .circle(border: .init(color: red, width: 2)),
      .circle(border: .init(color: Image.Pixel(red: 254, green: 0, blue: 0))),
      .circle(border: .init(color: Image.Pixel(red: 255, green: 0, blue: 0, alpha: 9))),
      .roundedCorners(radius: 0), .roundedCorners(radius: 1), .roundedCorners(radius: 1.5),
      .roundedCorners(radius: 1, border: .init(color: red)),
      .gaussianBlur(radius: 0), .gaussianBlur(radius: -1), .gaussianBlur(), .gaussianBlur(light: .linear),
      .crop(size: box), .crop(size: box, anchor: .init(x: 0, y: 0.5)),
      .crop(CGRect(x: 0, y: 0, width: 5, height: 6)),
      .crop(CGRect(x: 0.5, y: 0.5, width: 5, height: 6)), .crop(CGRect(x: 1, y: 0, width: 5, height: 6)),
      .colorControls(), .colorControls(brightness: 1), .colorControls(contrast: 2),
      .colorControls(saturation: 2), .exposure(stops: 1), .sepia(), .sepia(intensity: 0.5), .monochrome(),
      .monochrome(color: red), .monochrome(intensity: 0.5), .invert(),
      ImageProcessors.Colors(.identity), ImageProcessors.Colors(.identity, in: .linear),
      ImageProcessors.Colors(.sepia()), .tint(red), .overlay(red), .overlay(red, fraction: 0.4),
      .blend(red, mode: .multiply), .blend(red, mode: .sourceAtop), .blend(mark), .blend(otherMark),
      .blend(mark, mode: .screen), .blend(mark, opacity: 0.5), .blend(mark, anchor: .init(x: 0, y: 0)),
      .rotate(degrees: 10), .rotate(degrees: 90), .flip(), .flip(horizontally: true), .flip(vertically: true),
      .filter("a"), .filter("a", ["b": 1]), .filter("a", ["b": 2]), .filter("a", ["b": 1, "c": 1]),
      .filter("a \"b\" 1.0"), .filter("a\" \"b"), .filter("a", ["b\" 1.0 \"c": 1]), .process(id: "a") { $0 },
      .process(id: "circle") { $0 }, .resize(width: 5), .resize(width: 5, light: .linear), .resize(size: box),
      .composition([]), .composition([.circle()]), .composition([.circle(), .circle()]),
    ]
  }

  @Test("tells it from all others")
  func uniqueness() throws {
    let identifiers = try IdentifierTests.processors().map(\.identifier)

    let repeated = Dictionary(grouping: identifiers) { $0 }.filter { $0.value.count > 1 }.keys.sorted()

    #expect(repeated == [])
  }

  @Test("is the same for the same parameters")
  func stability() throws {
    let identifiers = try IdentifierTests.processors().map(\.identifier)

    #expect(try IdentifierTests.processors().map(\.identifier) == identifiers)
    let reordered = ["c": 1.0, "b": 1]
    #expect(ImageProcessors.Filter("a", reordered).identifier == "filter \"a\" \"b\" 1.0 \"c\" 1.0")
    #expect(
      ImageProcessors.RoundedCorners(radius: 2, unit: .points(scale: 3)).identifier
        == ImageProcessors.RoundedCorners(radius: 6).identifier)
  }
}
