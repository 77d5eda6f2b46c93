/// What the images of an AVIF or HEIC file are made of.
///
/// libheif follows references without detecting cycles: an image that contains itself ends the process.
struct BoxesReferences {
  private var parts: [Int: [Int]] = [:]

  /// The longest path from an image to its parts. Files of cameras stay below.
  private static let maximumDepth = 4
  /// The largest number of direct and indirect parts of one image. One of 100 megapixels has 400.
  private static let maximumParts = 4_096

  init(_ list: [BoxReference]) {
    for reference in list where reference.type == "dimg" {
      parts[reference.from, default: []] += reference.to
    }
  }

  /// Throws if an image contains itself, or too many parts.
  ///
  /// Each image is measured once, no matter how many others contain it, and the deadline is checked each time.
  func check(watch: DecodingWatch) throws(ImageCodecError) {
    var measured: [Int: Extent] = [:]
    for picture in parts.keys { _ = try measure(picture, depth: 0, &measured, watch) }
  }

  /// The size of the tree below an image.
  private struct Extent {
    /// The longest path to a part.
    var depth = 0
    /// The number of direct and indirect parts.
    var count = 0
  }

  private func measure(
    _ picture: Int, depth: Int, _ measured: inout [Int: Extent], _ watch: DecodingWatch
  ) throws(ImageCodecError) -> Extent {
    if let extent = measured[picture] { return extent }
    try watch.check()
    try BoxesReferences.checkDepth(depth)
    var extent = Extent()
    for part in parts[picture] ?? [] {
      let inner = try measure(part, depth: depth + 1, &measured, watch)
      extent.depth = max(extent.depth, inner.depth + 1)
      extent.count += inner.count + 1
      try BoxesReferences.checkDepth(extent.depth)
      guard extent.count <= BoxesReferences.maximumParts else {
        throw .corrupt("an image of too many parts")
      }
    }
    measured[picture] = extent
    return extent
  }

  private static func checkDepth(_ depth: Int) throws(ImageCodecError) {
    guard depth <= maximumDepth else {
      throw .corrupt("an image that contains itself, or is nested too deeply")
    }
  }
}

/// A reference from one item to others.
struct BoxReference {
  let type: String
  /// The bytes of the type.
  let name: ByteView
  let from: Int
  let to: [Int]

  init?(_ box: Box, identifierLength length: Int) {
    guard let from = box.payload.big(0, count: length), let count = box.payload.big(length, count: 2) else {
      return nil
    }
    (type, name, self.from) = (box.type, box.name, from)
    to = (0..<count).compactMap { box.payload.big(length + 2 + $0 * length, count: length) }
  }
}
