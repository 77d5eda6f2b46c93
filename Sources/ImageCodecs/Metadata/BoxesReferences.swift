/// Of which pictures the pictures of an AVIF or HEIC file are made.
///
/// libheif follows these references without looking where it has been: a picture made of itself ends the process.
struct BoxesReferences {
  private var parts: [Int: [Int]] = [:]

  /// More steps than this from a picture to the last of its parts are no file of a camera.
  private static let maximumDepth = 4
  /// Parts, and parts of parts, of one picture. One of 100 megapixels has 400.
  private static let maximumParts = 4_096

  /// `boxes` are those that describe the pictures.
  init(_ boxes: [Box]) {
    for references in boxes where references.type == "iref" {
      let length = references.payload.byte(0) == 0 ? 2 : 4
      for reference in Box.list(references.payload, from: 4) where reference.type == "dimg" {
        add(reference.payload, identifierLength: length)
      }
    }
  }

  private mutating func add(_ reference: ByteView, identifierLength length: Int) {
    guard let whole = reference.big(0, count: length), let count = reference.big(length, count: 2) else {
      return
    }
    let found = (0..<count).compactMap { reference.big(length + 2 + $0 * length, count: length) }
    parts[whole, default: []] += found
  }

  /// Throws when a picture is made of itself, or of more parts than any is.
  func check() throws(ImageCodecError) {
    for picture in parts.keys {
      var count = 0
      try visit(picture, depth: 0, &count)
    }
  }

  private func visit(_ picture: Int, depth: Int, _ count: inout Int) throws(ImageCodecError) {
    guard depth <= BoxesReferences.maximumDepth else {
      throw .corrupt("a picture made of itself, or of parts of parts without end")
    }
    for part in parts[picture] ?? [] {
      count += 1
      guard count <= BoxesReferences.maximumParts else { throw .corrupt("a picture of too many parts") }
      try visit(part, depth: depth + 1, &count)
    }
  }
}
