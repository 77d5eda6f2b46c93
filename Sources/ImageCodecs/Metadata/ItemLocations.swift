/// The locations of items (ISO/IEC 14496-12, 8.11.3).
struct ItemLocations {
  struct Extent {
    /// The bytes that contain it.
    let source: ByteView
    let offset: Int
    /// Zero means everything to the end.
    let length: Int

    var isComplete: Bool { offset >= 0 && offset <= source.count && length <= source.count - offset }

    /// The available part.
    var bytes: ByteView? {
      guard offset >= 0, offset <= source.count else { return nil }
      let rest = source.count - offset
      return source.slice(offset, count: length == 0 ? rest : min(length, rest))
    }
  }

  private(set) var list: [(item: Int, extents: [Extent])] = []

  /// Throws if items have too many extents, which may take no bytes.
  ///
  /// - Parameter boxes: The boxes that describe the images.
  init(_ boxes: [Box], file: ByteView) throws(ImageCodecError) {
    guard let box = boxes.first(where: { $0.type == "iloc" })?.payload, let version = box.byte(0),
      let sizes = box.big(4, count: 2), version <= 2
    else { return }
    let inside = boxes.first { $0.type == "idat" }?.payload
    var fields = FieldReader(box, at: 6)
    let identifierLength = version < 2 ? 2 : 4
    guard let count = fields.next(identifierLength) else { return }
    var extentCount = 0
    for _ in 0..<count {
      guard let item = fields.next(identifierLength), let method = version == 0 ? 0 : fields.next(2),
        fields.next(2) != nil, let base = fields.next(sizes >> 4 & 15), let pieces = fields.next(2)
      else { return }
      extentCount += pieces
      guard extentCount <= BoxesReferences.maximumEntries else { throw .corrupt("too many images") }
      var extents: [Extent] = []
      let source = method & 15 == 1 ? inside : file
      for _ in 0..<pieces {
        guard version == 0 || fields.next(sizes & 15) != nil, let offset = fields.next(sizes >> 12),
          let length = fields.next(sizes >> 8 & 15)
        else { break }
        if let source { extents.append(Extent(source: source, offset: base &+ offset, length: length)) }
      }
      list.append((item, extents))
    }
  }
}

/// Reads numbers one after the other. Those of zero bytes are 0. Those of eight are truncated to seven, which is
/// enough for every file.
private struct FieldReader {
  private let bytes: ByteView
  private var position: Int

  init(_ bytes: ByteView, at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  mutating func next(_ length: Int) -> Int? {
    defer { position += length }
    guard length > 0 else { return 0 }
    if length > 7 {
      return bytes.big(position, count: 1) == 0 ? bytes.big(position + 1, count: length - 1) : nil
    }
    return bytes.big(position, count: length)
  }
}
