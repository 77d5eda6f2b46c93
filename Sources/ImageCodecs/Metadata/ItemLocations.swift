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

  /// The extents of each item.
  private(set) var extents: [Int: [Extent]] = [:]

  /// Throws if an item is in two places, or items have too many extents, which may take no bytes.
  init(_ items: BoxesItems, file: ByteView) throws(ImageCodecError) {
    guard let box = try items.boxes.only("iloc")?.payload, let version = box.byte(0),
      let sizes = box.big(4, count: 2), version <= 2
    else { return }
    let inside = try items.boxes.only("idat")?.payload
    var fields = FieldReader(box, at: 6)
    let identifierLength = version < 2 ? 2 : 4
    guard let count = fields.next(identifierLength) else { return }
    var extentCount = 0
    for _ in 0..<count {
      guard let item = fields.next(identifierLength), let method = version == 0 ? 0 : fields.next(2),
        fields.next(2) != nil, let base = fields.next(sizes >> 4 & 15), let pieces = fields.next(2)
      else { return }
      extentCount += pieces
      guard extentCount <= BoxesBudget.maximumEntries else { throw .corrupt("too many images") }
      var found: [Extent] = []
      // No library reads items that are parts of others.
      let source = method & 15 == 0 ? file : method & 15 == 1 ? inside : nil
      for _ in 0..<pieces {
        guard version == 0 || fields.next(sizes & 15) != nil, let offset = fields.next(sizes >> 12),
          let length = fields.next(sizes >> 8 & 15)
        else { break }
        if let source { found.append(Extent(source: source, offset: base + offset, length: length)) }
      }
      guard extents.updateValue(found, forKey: item) == nil else { throw .corrupt("two places of one item") }
    }
  }

  /// The bytes of an item; `nil` if some are missing or there are more.
  func content(of item: Int, maximumBytes: Int) -> [UInt8]? {
    guard let extents = extents[item] else { return nil }
    var content: [UInt8] = []
    for extent in extents {
      guard extent.isComplete, let bytes = extent.bytes, bytes.count <= maximumBytes - content.count else {
        return nil
      }
      content += bytes.array
    }
    return content
  }
}

/// Reads numbers one after the other. Those of zero bytes are 0. Those of eight that exceed every file are the same large
/// number: libraries read what is behind them.
private struct FieldReader {
  private let bytes: ByteView
  private var position: Int

  init(_ bytes: ByteView, at position: Int) { (self.bytes, self.position) = (bytes, position) }

  mutating func next(_ length: Int) -> Int? {
    defer { position += length }
    guard length > 0 else { return 0 }
    guard length > 7 else { return bytes.big(position, count: length) }
    guard let first = bytes.big(position, count: length - 7),
      let rest = bytes.big(position + length - 7, count: 7)
    else { return nil }
    return first == 0 ? rest : 1 << 56
  }
}
