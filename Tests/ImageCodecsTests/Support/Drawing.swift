import ImageCodecs

/// SVG, if the system has librsvg.
enum Drawing {
  static let isPossible = (try? SVGRenderer()) != nil

  /// In this process, which a document may end.
  static func imageHere(_ text: String, options: DecodingOptions = DecodingOptions()) throws -> Image {
    try image(text, options: options) { $0.isolation = .none }
  }

  static func image(
    _ text: String, options: DecodingOptions = DecodingOptions(),
    limits: (inout SVGRenderer) -> Void = { _ in }
  ) throws -> Image {
    try image(Array(text.utf8), options: options, limits: limits)
  }

  static func image(
    _ bytes: [UInt8], options: DecodingOptions = DecodingOptions(),
    limits: (inout SVGRenderer) -> Void = { _ in }
  ) throws -> Image {
    var renderer = try SVGRenderer()
    limits(&renderer)
    return try bytes.withUnsafeBytes { try renderer.image(of: $0, options: options) }
  }

  /// A document of this content, ten pixels a side unless it is said otherwise.
  static func document(_ content: String, attributes: String = #"width="10" height="10""#) -> String {
    #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \#(attributes)>\#(content)</svg>"#
  }
}
