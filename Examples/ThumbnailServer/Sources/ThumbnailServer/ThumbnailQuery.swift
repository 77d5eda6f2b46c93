internal import Foundation
internal import StreamImages

/// What a client asks for: `url`, and a size in pixels by `w`, `h` and `fit`.
struct ThumbnailQuery: Equatable {
  enum Fit: String {
    /// All of the image, within the box.
    case contain
    /// A box that is filled; what stands out is cut off.
    case cover
  }

  var url: URL
  var width: Int?
  var height: Int?
  var fit = Fit.contain

  /// - Parameter value: What the query has under a name, decoded.
  init(maximumSide: Int, _ value: (Substring) -> Substring?) throws(Refusal) {
    guard let text = value("url"), let url = URL(string: String(text)), url.host != nil else {
      throw .bad("query.url")
    }
    self.url = url
    width = try Self.side(value("w"), "query.w", maximumSide)
    height = try Self.side(value("h"), "query.h", maximumSide)
    if let name = value("fit") {
      guard let fit = Fit(rawValue: String(name)) else { throw .bad("query.fit") }
      self.fit = fit
    }
    if width == nil && height == nil { throw .bad("query.w") }
    if fit == .cover && (width == nil || height == nil) { throw .bad(width == nil ? "query.w" : "query.h") }
  }

  private static func side(_ text: Substring?, _ code: String, _ maximum: Int) throws(Refusal) -> Int? {
    guard let text else { return nil }
    guard let side = Int(text), (1...maximum).contains(side) else { throw .bad(code) }
    return side
  }

  /// Images that are smaller stay as they are.
  var processor: any ImageProcessing {
    switch (width, height) {
    case (let width?, let height?):
      .resize(
        size: CGSize(width: width, height: height), contentMode: fit == .cover ? .aspectFill : .aspectFit,
        crop: fit == .cover)
    case (nil, let height?): .resize(height: Double(height))
    case (let width, nil): .resize(width: Double(width ?? 1))
    }
  }
}
