/// The HEVC streams of a HEIC file.
///
/// libde265 allocates memory for the size in the stream, which libheif does not check.
struct HEVCStreams {
  private let file: ByteView
  private let boxes: [Box]
  private let properties: [Box]

  /// - Parameter boxes: The boxes that describe the images.
  init(_ file: ByteView, boxes: [Box]) {
    self.file = file
    self.boxes = boxes
    let parts = boxes.first { $0.type == "iprp" }.map { Box.list($0.payload) } ?? []
    properties = parts.first { $0.type == "ipco" }.map { Box.list($0.payload) } ?? []
  }

  /// Throws if a stream has pictures larger than its image needs.
  func check(within size: PixelSize) throws(ImageCodecError) {
    // Cameras split images into squares of 512, whatever their size, and encoders round up to blocks.
    let largest = PixelSize(width: max(size.width, 1_024) + 127, height: max(size.height, 1_024) + 127)
    var lengths: Set<Int> = []
    for property in properties where property.type == "hvcC" {
      lengths.insert((property.payload.byte(21) ?? 3) & 3 + 1)
      try checkConfiguration(property.payload, largest)
    }
    guard !lengths.isEmpty else { return }
    for item in try ItemBytes.list(boxes, file: file) {
      for length in lengths { try checkUnits(item, lengthOfLength: length, largest) }
    }
  }

  private func checkConfiguration(_ bytes: ByteView, _ largest: PixelSize) throws(ImageCodecError) {
    var position = 23
    for _ in 0..<(bytes.byte(22) ?? 0) {
      guard let count = bytes.big(position + 1, count: 2) else { return }
      position += 3
      for _ in 0..<count {
        guard let length = bytes.big(position, count: 2) else { return }
        if let unit = bytes.slice(position + 2, count: length) { try check(unit, largest) }
        position += 2 + length
      }
    }
  }

  private func checkUnits(
    _ bytes: [UInt8], lengthOfLength: Int, _ largest: PixelSize
  ) throws(ImageCodecError) {
    try bytes.withUnsafeBufferPointer { buffer throws(ImageCodecError) in
      let view = ByteView(UnsafeRawBufferPointer(buffer))
      var position = 0
      while let length = view.big(position, count: lengthOfLength) {
        let start = position + lengthOfLength
        guard let unit = view.slice(start, count: min(length, view.count - start)) else { return }
        try check(unit, largest)
        position = start + length
      }
    }
  }

  private func check(_ unit: ByteView, _ largest: PixelSize) throws(ImageCodecError) {
    guard let size = HEVCPictureSize.size(of: unit) else { return }
    guard size.width <= largest.width, size.height <= largest.height else { throw .corrupt("two sizes") }
  }
}

/// The locations of items (ISO/IEC 14496-12, 8.11.3).
private enum ItemBytes {
  /// Returns the available parts of each item. Throws if that would read more than four times the file.
  static func list(_ boxes: [Box], file: ByteView) throws(ImageCodecError) -> [[UInt8]] {
    guard let box = boxes.first(where: { $0.type == "iloc" })?.payload, let version = box.byte(0),
      let sizes = box.big(4, count: 2), version <= 2
    else { return [] }
    let inside = boxes.first { $0.type == "idat" }?.payload
    var fields = FieldReader(box, at: 6)
    let identifierLength = version < 2 ? 2 : 4
    guard let count = fields.next(identifierLength) else { return [] }
    var items: [[UInt8]] = []
    var total = 0
    for _ in 0..<count {
      guard fields.next(identifierLength) != nil, let method = version == 0 ? 0 : fields.next(2),
        fields.next(2) != nil, let base = fields.next(sizes >> 4 & 15), let pieces = fields.next(2)
      else { return items }
      var item: [UInt8] = []
      for _ in 0..<pieces {
        guard version == 0 || fields.next(sizes & 15) != nil, let offset = fields.next(sizes >> 12),
          let length = fields.next(sizes >> 8 & 15)
        else { return items + [item] }
        let source = method & 15 == 1 ? inside : file
        guard let piece = source?.piece(at: base &+ offset, count: length) else { continue }
        total += piece.count
        guard total <= file.count * 4 else { throw .corrupt("images that share their bytes") }
        item += piece.array
      }
      items.append(item)
    }
    return items
  }
}

extension ByteView {
  /// The part that is available; without a length, everything to the end.
  fileprivate func piece(at offset: Int, count length: Int) -> ByteView? {
    guard offset >= 0, offset <= count else { return nil }
    return slice(offset, count: length == 0 ? count - offset : min(length, count - offset))
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
