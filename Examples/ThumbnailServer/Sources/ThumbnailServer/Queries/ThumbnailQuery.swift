internal import Foundation
internal import StreamImages

/// The options of a request, checked: a source, and what is done with its image. Lengths are in pixels of the thumbnail.
struct ThumbnailQuery: Sendable {
  enum Fit: String {
    /// The whole image, within the box.
    case contain
    /// The image fills the box, and is cropped.
    case cover
    /// The whole image, extended to the box by a color.
    case fill
  }

  /// Which part of an image is kept.
  enum Position: Hashable {
    case anchor(ImageProcessors.Anchor)
    case focus(ImageProcessors.Anchor)
    case attention

    static let center = Position.anchor(.center)
  }

  /// A part of the upright original, in its pixels.
  enum Crop: Hashable {
    case area(x: Int, y: Int, width: Int, height: Int)
    case size(width: Int, height: Int, Position)
  }

  /// Edges that are added, in pixels.
  struct Padding: Hashable {
    var top: Double
    var right: Double
    var bottom: Double
    var left: Double

    var across: Int { Int(left + right) }
    var down: Int { Int(top + bottom) }
  }

  var url: URL
  /// Distinguishes versions of an image with the same URL.
  var version: String?
  /// As the client asks, or else the largest that may be.
  var width: Int
  var height: Int
  var fit = Fit.contain
  var position = Position.center
  var background: Image.Pixel?
  var isEnlarged = false
  var crop: Crop?
  /// Clockwise: 0, 90, 180 or 270.
  var rotation = 0
  var flipsHorizontally = false
  var flipsVertically = false
  /// How different a color of the edge may be that is cut off, from 0 to 1.
  var trimming: Double?
  var padding: Padding?
  var blur: Double?
  var sharpening: Double?
  /// The side of the squares.
  var pixelation: Double?
  /// The opacity of the watermark.
  var watermark: Double?
  /// `nil` for one that suits the client.
  var format: ThumbnailFormat?
  /// From 0 to 1.
  var quality: Double?
}

extension ThumbnailQuery {
  /// The request for the original.
  var source: ImageRequest {
    var request = ImageRequest(url: url)
    if let version { request.imageID = "\(url.absoluteString) \(version)" }
    return request
  }

  /// - Parameters:
  ///   - maximumSide: Of the thumbnail, with its edges.
  ///   - needsSize: Whether at least one side has to be named.
  /// - Throws: A refusal with the code `query.NAME` for an option that is missing or not valid.
  init(_ options: OptionList, maximumSide: Int, needsSize: Bool) throws(Refusal) {
    url = try Self.source(options["url"])
    version = options["v"]
    let fit = try options.value("fit", { Fit(rawValue: $0) }) ?? .contain
    self.fit = fit
    padding = try Self.padding(options, maximumSide)
    (width, height) = try Self.size(
      options, maximumSide, padding, needsOne: needsSize, needsBoth: fit != .contain)
    position = try Self.position(options)
    background = try options.value("bg", Image.Pixel.init(hex:))
    isEnlarged = try options.value("enlarge", Self.flag) ?? false
    crop = try Self.crop(options["crop"], position)
    rotation = try options.value("rotate", { ["0": 0, "90": 90, "180": 180, "270": 270][$0] }) ?? 0
    let flip = try options.value("flip", { ["h", "v", "hv"].contains($0) ? $0 : nil }) ?? ""
    (flipsHorizontally, flipsVertically) = (flip.contains("h"), flip.contains("v"))
    trimming = try options.number("trim", in: 0...1)
    pixelation = try options.number("pixelate", in: 1...1000)
    blur = try options.number("blur", in: 0.1...100)
    sharpening = try options.number("sharpen", in: 0.1...10)
    watermark = try options.number("wm", in: 0...1)
    format = try options.value("format", { ThumbnailFormat(rawValue: $0) })
    quality = try options.value("q", { text in Int(text).flatMap { (1...100).contains($0) ? $0 : nil } })
      .map { Double($0) / 100 }
  }

  private static func source(_ text: String?) throws(Refusal) -> URL {
    guard let text, let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
      throw .bad("query.url")
    }
    // Other schemes are refused where images are loaded, as those of redirects are.
    if ["http", "https", "s3"].contains(scheme), url.host(percentEncoded: true) ?? "" == "" {
      throw .bad("query.url")
    }
    return url
  }

  private static func size(
    _ options: OptionList, _ maximum: Int, _ padding: Padding?, needsOne: Bool, needsBoth: Bool
  ) throws(Refusal) -> (width: Int, height: Int) {
    let sides = 1...maximum
    func side(_ name: String) throws(Refusal) -> Int? {
      try options.value(name) { text in Int(text).flatMap { sides.contains($0) ? $0 : nil } }
    }
    var (width, height) = (try side("w"), try side("h"))
    if needsOne, width == nil, height == nil { throw .bad("query.w") }
    if needsBoth, (width == nil) != (height == nil) { throw .bad(width == nil ? "query.w" : "query.h") }
    let ratio = try options.number("dpr", in: 0.1...8) ?? 1
    let scale = { (side: Int) in max(1, Int((Double(side) * ratio).rounded())) }
    (width, height) = (width.map(scale), height.map(scale))
    guard [width, height].allSatisfy({ $0.map(sides.contains) ?? true }) else { throw .bad("query.dpr") }
    // A side that follows from the other one has a limit, too: images can be a thousand times as high as they are wide.
    let (across, down) = (maximum - (padding?.across ?? 0), maximum - (padding?.down ?? 0))
    guard (width ?? 1) <= across, (height ?? 1) <= down else { throw .bad("query.pad") }
    return (width ?? across, height ?? down)
  }

  private static func position(_ options: OptionList) throws(Refusal) -> Position {
    let gravity = try options.value("gravity", Position.init(named:))
    guard let focus = try options.value("focus", ImageProcessors.Anchor.init(text:)) else {
      return gravity ?? .center
    }
    guard gravity == nil else { throw .bad("query.focus") }
    return .focus(focus)
  }

  /// `x,y,w,h`, or `w,h` for a part at the position of the query, or `w,h,gravity`.
  private static func crop(_ text: String?, _ position: Position) throws(Refusal) -> Crop? {
    guard let text else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in Int(part).flatMap { (0...65_535).contains($0) ? $0 : nil } }
    switch (parts.count, numbers.count) {
    case (4, 4) where numbers[2] > 0 && numbers[3] > 0:
      return .area(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    case (2, 2) where numbers[0] > 0 && numbers[1] > 0:
      return .size(width: numbers[0], height: numbers[1], position)
    case (3, 2) where numbers[0] > 0 && numbers[1] > 0:
      guard let position = Position(named: String(parts[2])) else { throw .bad("query.crop") }
      return .size(width: numbers[0], height: numbers[1], position)
    default: throw .bad("query.crop")
    }
  }

  /// One to four numbers, as in CSS: all sides; top and left; top, left and bottom; or each of them from the top clockwise.
  private static func padding(_ options: OptionList, _ maximum: Int) throws(Refusal) -> Padding? {
    let scale = try options.number("dpr", in: 0.1...8) ?? 1
    return try options.value("pad") { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let sides = parts.compactMap { Int($0) }.filter { (0...maximum).contains($0) }
        .map { (Double($0) * scale).rounded() }
      guard (1...4).contains(parts.count), sides.count == parts.count,
        sides.allSatisfy({ $0 <= Double(maximum) })
      else { return nil }
      let right = sides.count > 1 ? sides[1] : sides[0]
      return Padding(
        top: sides[0], right: right, bottom: sides.count > 2 ? sides[2] : sides[0],
        left: sides.count > 3 ? sides[3] : right)
    }
  }

  private static func flag(_ text: String) -> Bool? { ["0": false, "1": true][text] }
}

extension ThumbnailQuery.Position {
  init?(named name: String) {
    if name == "attention" {
      self = .attention
    } else if let anchor = ImageProcessors.Anchor(named: name) {
      self = .anchor(anchor)
    } else {
      return nil
    }
  }
}

extension ImageProcessors.Anchor {
  /// An anchor such as `top` or `bottom-right`.
  init?(named name: String) {
    let anchors: [String: Self] = [
      "center": .center, "top": .top, "bottom": .bottom, "left": .left, "right": .right,
      "top-left": .topLeft, "top-right": .topRight, "bottom-left": .bottomLeft, "bottom-right": .bottomRight,
    ]
    guard let anchor = anchors[name] else { return nil }
    self = anchor
  }

  /// A point such as `0.3,0.7`.
  fileprivate init?(text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard numbers.count == 2, numbers.allSatisfy({ (0...1).contains($0) }) else { return nil }
    self.init(x: numbers[0], y: numbers[1])
  }
}

extension Image.Pixel {
  /// A color such as `ff8800`, without alpha.
  var hex: String {
    [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A color such as `ff8800`, or with alpha `ff880080`.
  init?(hex text: String) {
    guard [6, 8].contains(text.utf8.count), text.allSatisfy(\.isHexDigit),
      let number = UInt32(text, radix: 16)
    else { return nil }
    let color = text.utf8.count == 6 ? number << 8 | 255 : number
    self.init(
      red: UInt8(truncatingIfNeeded: color >> 24), green: UInt8(truncatingIfNeeded: color >> 16),
      blue: UInt8(truncatingIfNeeded: color >> 8), alpha: UInt8(truncatingIfNeeded: color))
  }
}
