/// An AVIF or HEIC put together by hand, of images that an encoder wrote.
struct BoxesFile {
  struct Item {
    var type: String
    var data: [UInt8]
    /// Whole boxes.
    var properties: [[UInt8]] = []
  }

  var brand: String
  /// Numbered from 1, which is the main image.
  var items: [Item]
  var references: [(type: String, from: Int, to: [Int])] = []

  /// Takes the main image out of a file of one item.
  init(_ file: [UInt8], brand: String) throws {
    self.brand = brand
    items = [try BoxesFile.image(file, brand: brand)]
  }

  static func image(_ file: [UInt8], brand: String) throws -> Item {
    let all = boxes(file[...])
    let meta = all.first { $0.type == "meta" }?.content.dropFirst(4) ?? []
    let parts = boxes(meta).first { $0.type == "iprp" }?.content ?? []
    let properties = boxes(boxes(parts).first { $0.type == "ipco" }?.content ?? [])
    let data = all.first { $0.type == "mdat" }?.content ?? []
    return Item(
      type: brand == "avif" ? "av01" : "hvc1", data: Array(data),
      properties: properties.map { box($0.type, Array($0.content)) })
  }

  /// How a gain map is applied, for one channel: no fraction may have the denominator 0.
  static let toneMap: [UInt8] =
    [UInt8](repeating: 0, count: 6)
    + [0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1].flatMap { (number: Int) -> [UInt8] in big(number, count: 4) }

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, count: 4) + Array(type.utf8) + content
  }

  /// The part of the image that is shown: its place and its size.
  static func clap(_ size: (width: Int, height: Int), x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
    let across = big(2 * x + width - size.width, count: 4) + big(2, count: 4)
    let down = big(2 * y + height - size.height, count: 4) + big(2, count: 4)
    return box(
      "clap",
      [width, 1, height, 1].flatMap { (number: Int) -> [UInt8] in big(number, count: 4) } + across + down)
  }

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(type: String, content: ArraySlice<UInt8>)] {
    var result: [(type: String, content: ArraySlice<UInt8>)] = []
    var rest = bytes
    while rest.count >= 8 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length >= 8, length <= rest.count else { break }
      let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      result.append((type, rest.dropFirst(8).prefix(length - 8)))
      rest = rest.dropFirst(length)
    }
    return result
  }

  var bytes: [UInt8] {
    // The brand promises such an item, and newer versions of libavif refuse a file without it.
    let toneMapped = items.contains { $0.type == "tmap" } ? "tmap" : ""
    let head = BoxesFile.box("ftyp", Array((brand + "\0\0\0\0mif1" + brand + toneMapped).utf8))
    // Offsets have a fixed length, so the first pass finds where the data begins.
    let start = head.count + meta(from: 0).count + 8
    return head + meta(from: start) + BoxesFile.box("mdat", items.flatMap(\.data))
  }

  /// Whether a reader must follow a property: newer versions of libavif refuse a crop or a turn that says otherwise.
  private static func isEssential(_ property: [UInt8]) -> Bool {
    ["clap", "irot", "imir"].contains(String(decoding: property.dropFirst(4).prefix(4), as: UTF8.self))
  }

  private func meta(from start: Int) -> [UInt8] {
    let zero: [UInt8] = [0, 0, 0, 0]
    let handler = BoxesFile.box("hdlr", big(0, count: 8) + Array("pict".utf8) + big(0, count: 13))
    let main = BoxesFile.box("pitm", zero + [0, 1])
    var locations: [UInt8] = [0, 0, 0, 0, 0x44, 0] + big(items.count, count: 2)
    var offset = start
    var entries: [UInt8] = zero + big(items.count, count: 2)
    entries[0] = 0
    var properties: [UInt8] = []
    var associations = zero + big(items.count, count: 4)
    var count = 0
    for (index, item) in items.enumerated() {
      locations += big(index + 1, count: 2) + [0, 0, 0, 1]
      locations += big(offset, count: 4) + big(item.data.count, count: 4)
      offset += item.data.count
      let number: [UInt8] = [2, 0, 0, 0] + big(index + 1, count: 2) + [0, 0]
      entries += BoxesFile.box("infe", number + Array(item.type.utf8) + [0])
      properties += item.properties.flatMap { $0 }
      associations += big(index + 1, count: 2) + [UInt8(item.properties.count)]
      associations += zip(item.properties, (count + 1)...).map { property, number in
        UInt8(number) | (Self.isEssential(property) ? 0x80 : 0)
      }
      count += item.properties.count
    }
    var list: [UInt8] = zero
    for reference in references {
      let content = ([reference.from, reference.to.count] + reference.to).flatMap {
        (number: Int) -> [UInt8] in
        big(number, count: 2)
      }
      list += BoxesFile.box(reference.type, content)
    }
    let content: [[UInt8]] = [
      zero, handler, main, BoxesFile.box("iloc", locations), BoxesFile.box("iinf", entries),
      BoxesFile.box("iprp", BoxesFile.box("ipco", properties) + BoxesFile.box("ipma", associations)),
      references.isEmpty ? [] : BoxesFile.box("iref", list),
    ]
    return BoxesFile.box("meta", content.flatMap { $0 })
  }
}
