import Foundation
import StreamImages
import StreamsExtras
import Testing

@Suite("Processor identifiers")
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
      .crop(size: box, focus: .center), .crop(size: box, focus: .left), .crop(size: box, to: .attention),
      .sharpen(), .sharpen(radius: 2), .sharpen(amount: 2), .pixelate(), .pixelate(side: 4), .trim(),
      .trim(tolerance: 0), .background(red), .background(.clear), .pad(1), .pad(2), .pad(1, color: red),
      .pad(to: box), .pad(to: box, anchor: .left), .pad(to: box, color: red),
      ImageProcessors.Pad(top: 1), ImageProcessors.Pad(left: 1), .watermark(mark), .watermark(otherMark),
      .watermark(mark, anchor: .left), .watermark(mark, scale: 0.5), .watermark(mark, opacity: 0.5),
      .watermark(mark, margin: 1), .watermark(mark, repeats: true),
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

  @Test("Different processors have different identifiers")
  func uniqueness() throws {
    let identifiers = try IdentifierTests.processors().map(\.identifier)

    let repeated = Dictionary(grouping: identifiers) { $0 }.filter { $0.value.count > 1 }.keys.sorted()

    #expect(repeated == [])
  }

  @Test("Equal parameters give equal identifiers")
  func stability() throws {
    let identifiers = try IdentifierTests.processors().map(\.identifier)

    #expect(try IdentifierTests.processors().map(\.identifier) == identifiers)
    let reordered = ["c": 1.0, "b": 1]
    #expect(ImageProcessors.Filter("a", reordered).identifier == "filter \"a\" \"b\" 1.0 \"c\" 1.0")
    #expect(
      ImageProcessors.RoundedCorners(radius: 2, unit: .points(scale: 3)).identifier
        == ImageProcessors.RoundedCorners(radius: 6).identifier)
  }

  /// A processor by lot, and all that was drawn for it, as Swift writes it.
  private static func draw(_ random: inout SeededNumbers, depth: Int = 0) -> (any ImageProcessing, String) {
    let text = random.text()
    let number = [0, 1, 1.5, -1, 10, 1e9][random.below(6)]
    let other = [0, 1, 2, 0.5][random.below(4)]
    let flag = random.below(2) == 0
    let kind = random.below(depth < 2 ? 10 : 9)
    let all = "\(kind) \(text.debugDescription) \(number) \(other)"
    return switch kind {
    case 0: (.process(id: text) { $0 }, "\(kind) \(text.debugDescription)")
    case 1: (.filter(text, [text: number]), "\(kind) \(text.debugDescription) \(number)")
    case 2: (.filter(text), "\(kind) \(text.debugDescription)")
    case 3: (.gaussianBlur(radius: number, light: flag ? .linear : .encoded), "\(kind) \(number) \(flag)")
    case 4: (.roundedCorners(radius: number), "\(kind) \(number)")
    case 5: (.resize(width: number, upscale: flag), "\(kind) \(number) \(flag)")
    case 6: (.colorControls(brightness: number, contrast: other), "\(kind) \(number) \(other)")
    case 7: (.filter(text, [text + "a": number, "b": other]), all)
    case 8: (.rotate(degrees: number), "\(kind) \(number)")
    default: compose(&random, depth: depth)
    }
  }

  private static func compose(
    _ random: inout SeededNumbers, depth: Int
  ) -> (any ImageProcessing, String) {
    let parts = (0..<random.below(3)).map { _ in draw(&random, depth: depth + 1) }
    // Compositions in a composition are taken apart, in what is drawn as in what it is known by.
    let names = parts.map { $0.1.hasPrefix("[") ? String($0.1.dropFirst().dropLast()) : $0.1 + ";" }
    return (.composition(parts.map(\.0)), "[" + names.joined() + "]")
  }

  @Test("Random processors share an identifier only if all their parameters are equal")
  func collisions() {
    var random = SeededNumbers(seed: 11)
    var known: [String: String] = [:]
    var repeated = 0

    for _ in 0..<20_000 {
      let (processor, drawn) = IdentifierTests.draw(&random)
      if let earlier = known[processor.identifier] {
        #expect(earlier == drawn, "\(processor.identifier)")
        repeated += 1
      }
      known[processor.identifier] = drawn
    }

    // Both had to happen for this to say anything.
    #expect(repeated > 100 && known.count > 1_000)
  }
}

/// Numbers that look like chance, and are the same each time.
private struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  /// Of what separates words, ends texts, and escapes.
  mutating func text() -> String {
    let pieces = ["", " ", "\"", "\\", "a", "1.0", "blur", "composition", "\n", "é"]
    return (0..<below(4)).map { _ in pieces[below(pieces.count)] }.joined()
  }
}
