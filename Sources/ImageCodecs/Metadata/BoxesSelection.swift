/// The bytes of an AVIF or HEIC file that its library reads: what the main image consists of, or another image that is
/// made the main one.
///
/// Libraries look at everything in a file, and refuse all of it for what they do not understand. libheif before 1.18
/// does so for the photos of current phones, whose metadata belongs to two images. Both libraries refuse a file with
/// an image larger than the limit, whichever is decoded.
struct BoxesSelection {
  private let file: ByteView
  private var changes: [(offset: Int, bytes: [UInt8])] = []
  /// The end of the last box. Some programs add other bytes.
  private var end: Int
  /// Bytes of zero that replace the missing end of the last box.
  private var padding = 0

  /// Whether the library may be too old for the file.
  let isOfNewKind: Bool

  /// - Parameter image: The image that is decoded. If it is not the main one of the file, it is made so.
  init(
    _ file: ByteView, items: BoxesItems, image: Int, needed: Set<Int>, size: PixelSize, format: ImageFormat
  ) {
    self.file = file
    isOfNewKind =
      items.hasOtherTypes(needed, than: format)
      || items.references.contains { $0.type == "auxl" && needed.contains($0.from) && $0.to.count > 1 }
    end = file.count
    let isOther = image != items.main
    if isOther { replaceMain(items.mainBox, by: image) }
    for reference in items.references
    where BoxesSelection.isConfusing(reference, image, needed)
      || isOther && (!needed.contains(reference.from) || reference.type == "auxl" && reference.from == image)
    {
      hide(reference.name)
    }
    for item in items.list
    where !needed.contains(item.number)
      && (isOther || items.properties(of: item.number).contains { $0.exceeds(size) })
    {
      hide(item.type)
    }
    if format == .heic { hideTransformations(items, image, needed) }
    hideGainMaps(items, needed)
    endWithBox()
  }

  /// Calls `body` with the bytes.
  func withBytes<Value>(
    _ body: (ByteView) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    guard let part = file.slice(0, count: end) else { throw .truncated }
    if changes.isEmpty, padding == 0 { return try body(part) }
    var bytes = part.array + [UInt8](repeating: 0, count: padding)
    for change in changes {
      bytes.replaceSubrange(change.offset..<change.offset + change.bytes.count, with: change.bytes)
    }
    return try bytes.withBytes { buffer throws(ImageCodecError) in try body(ByteView(buffer)) }
  }

  /// Whether a reference is about other images than the one that is decoded.
  private static func isConfusing(_ reference: BoxReference, _ image: Int, _ needed: Set<Int>) -> Bool {
    switch reference.type {
    case "cdsc", "thmb": reference.to != [image]
    case "auxl": reference.to != [image] && !needed.contains(reference.from)
    default: false
    }
  }

  private mutating func replaceMain(_ name: Box, by item: Int) {
    guard let offset = name.payload.offset(in: file) else { return }
    let length = name.payload.byte(0) == 0 ? 2 : 4
    changes.append((offset + 4, ByteView.bigEndian(item, count: length)))
  }

  /// Transformations are applied here. libheif refuses crops without a value, and applies those of alpha although it is
  /// told not to.
  private mutating func hideTransformations(_ items: BoxesItems, _ image: Int, _ needed: Set<Int>) {
    let all = items.properties.filter { ["clap", "irot", "imir"].contains($0.type) }
    let types = Set(all.map(\.type))
    let isRefused = all.contains { $0.type == "clap" && CleanAperture($0.payload) == nil }
    let isOfParts = needed.contains { item in
      item != image && items.properties(of: item).contains { types.contains($0.type) }
    }
    guard isRefused || isOfParts else { return }
    for property in all { hide(property.name) }
  }

  /// Gain maps are read here. libavif 1.2 refuses a file for a map that it does not understand, and for a brand that
  /// promises a map.
  private mutating func hideGainMaps(_ items: BoxesItems, _ needed: Set<Int>) {
    let maps = items.toneMaps.subtracting(needed)
    for item in items.list where maps.contains(item.number) { hide(item.type) }
    for reference in items.references where maps.contains(reference.from) { hide(reference.name) }
    guard let brands = Box(file, at: 0)?.payload else { return }
    for place in stride(from: 0, to: brands.count, by: 4) {
      if let brand = brands.slice(place, count: 4), brand.holds("tmap", at: 0) { hide(brand) }
    }
  }

  private mutating func hide(_ name: ByteView) {
    guard let offset = name.offset(in: file) else { return }
    changes.append((offset, Array("free".utf8)))
  }

  /// An incomplete last box is filled up, or ends with the file if too much is missing. Everything that is needed is
  /// there.
  private mutating func endWithBox() {
    guard let last = Box.list(file).last, let name = last.name.offset(in: file) else { return }
    if last.isComplete {
      end = last.end
    } else if last.end - file.count <= file.count {
      padding = last.end - file.count
    } else if file.big(name - 4, count: 4) == 1 {
      changes.append((name + 4, ByteView.bigEndian(file.count - name + 4, count: 8)))
    } else {
      changes.append((name - 4, ByteView.bigEndian(file.count - name + 4, count: 4)))
    }
  }
}

extension Box {
  /// Whether it is the size of an image larger than this one.
  fileprivate func exceeds(_ limit: PixelSize) -> Bool {
    guard type == "ispe" else { return false }
    return max(size.width, size.height) > max(limit.width, limit.height)
      || (size.pixelCount ?? .max) > (limit.pixelCount ?? .max)
  }
}
