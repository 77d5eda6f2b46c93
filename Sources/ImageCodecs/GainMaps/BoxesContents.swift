/// The images and metadata of an AVIF or HEIC file that a library wrote, to add others and write it again.
struct BoxesContents {
  struct Item {
    var number: Int
    /// Whether it is not shown by itself.
    var isHidden = false
    /// What follows the number in its entry: protection, type and names.
    var entry: [UInt8]
    /// Numbers of properties, from 1.
    var properties: [Int] = []
    var data: [UInt8]
  }

  /// The brands of the file.
  var brands: [UInt8]
  /// The number of the main image.
  let main: Int
  var items: [Item]
  /// Whole boxes.
  var properties: [[UInt8]]
  var references: [(type: [UInt8], from: Int, to: [Int])]
  /// Images of which one is shown, the preferred one first.
  var alternatives: [Int] = []
  private let handler: [UInt8]

  /// `nil` for a file with parts that cannot be read.
  init?(_ file: [UInt8]) {
    let contents = file.withUnsafeBytes { BoxesContents(ByteView($0)) }
    guard let contents else { return nil }
    self = contents
  }

  private init?(_ file: ByteView) {
    guard let brands = Box.list(file).first(where: { $0.type == "ftyp" })?.payload,
      let all = try? BoxesItems(file), let handler = all.boxes.first(where: { $0.type == "hdlr" }),
      let locations = try? ItemLocations(all, file: file)
    else { return nil }
    items = all.list.compactMap { item in
      guard item.entry.byte(0) == 2, let rest = item.entry.rest(from: 6),
        let extents = locations.extents[item.number], !extents.isEmpty, extents.allSatisfy(\.isComplete)
      else { return nil }
      return Item(
        number: item.number, isHidden: item.entry.byte(3) == 1, entry: rest.array,
        properties: all.propertyNumbers(of: item.number), data: extents.flatMap { $0.bytes?.array ?? [] })
    }
    main = all.main
    guard items.count == all.list.count, items.contains(where: { $0.number == all.main }) else { return nil }
    self.brands = brands.array
    self.handler = handler.whole
    properties = all.properties.map(\.whole)
    references = all.references.map { ($0.name.array, $0.from, $0.to) }
  }

  /// The greatest number in use.
  var lastNumber: Int { items.map(\.number).max() ?? 0 }

  /// Adds the images of another file without references, and returns the number of its main image.
  mutating func add(_ other: BoxesContents) -> Int {
    let (numbers, offset) = (lastNumber, properties.count)
    properties += other.properties
    items += other.items.map { item in
      var item = item
      item.number += numbers
      item.isHidden = true
      item.properties = item.properties.map { $0 + offset }
      return item
    }
    return other.main + numbers
  }

  /// The file; `nil` if there are more parts than its fields can count.
  var file: [UInt8]? {
    guard lastNumber < 0xFFFF, properties.count <= 0x7FFF, items.allSatisfy({ $0.properties.count <= 255 }),
      items.reduce(0, { $0 + $1.data.count }) < 1 << 31
    else { return nil }
    let head = Box.bytes("ftyp", brands)
    // Offsets have a fixed length, so the first pass finds where the data begins.
    let start = head.count + meta(from: 0).count + 8
    return head + meta(from: start) + Box.bytes("mdat", items.flatMap(\.data))
  }

  private func meta(from start: Int) -> [UInt8] {
    var offset = start
    var locations: [UInt8] = [0, 0, 0, 0, 0x44, 0] + Self.big(items.count, 2)
    var entries: [UInt8] = [0, 0, 0, 0] + Self.big(items.count, 2)
    // Numbers of properties have 15 bits.
    var associations: [UInt8] = [0, 0, 0, 1] + Self.big(items.count, 4)
    for item in items {
      locations += Self.big(item.number, 2) + [0, 0, 0, 1] + Self.big(offset, 4)
      locations += Self.big(item.data.count, 4)
      offset += item.data.count
      entries += Box.bytes(
        "infe", [2, 0, 0, item.isHidden ? 1 : 0] + Self.big(item.number, 2) + item.entry)
      associations += Self.big(item.number, 2) + [UInt8(item.properties.count)]
      for number in item.properties {
        associations += Self.big(number | (isEssential(number) ? 0x8000 : 0), 2)
      }
    }
    let list = references.flatMap { type, from, to in
      Box.bytes(type, ([from, to.count] + to).flatMap { Self.big($0, 2) })
    }
    let boxes = [
      handler, Box.bytes("pitm", [0, 0, 0, 0] + Self.big(main, 2)), Box.bytes("iloc", locations),
      Box.bytes("iinf", entries), list.isEmpty ? [] : Box.bytes("iref", [0, 0, 0, 0] + list),
      Box.bytes("iprp", Box.bytes("ipco", properties.flatMap { $0 }) + Box.bytes("ipma", associations)),
      alternatives.isEmpty ? [] : Box.bytes("grpl", group),
    ]
    return Box.bytes("meta", [0, 0, 0, 0] + boxes.flatMap { $0 })
  }

  private var group: [UInt8] {
    let numbers = [lastNumber + 1, alternatives.count] + alternatives
    return Box.bytes("altr", [0, 0, 0, 0] + numbers.flatMap { Self.big($0, 4) })
  }

  /// Whether a reader must understand a property.
  private func isEssential(_ number: Int) -> Bool {
    guard (1...properties.count).contains(number) else { return false }
    return ["av1C", "hvcC", "clap", "irot", "imir", "lsel", "a1op"].contains(
      String(decoding: properties[number - 1].dropFirst(4).prefix(4), as: UTF8.self))
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] { ByteView.bigEndian(value, count: count) }
}

extension Box {
  static func bytes(_ type: StaticString, _ content: [UInt8]) -> [UInt8] { bytes(type.bytes, content) }

  fileprivate static func bytes(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
    [UInt8](joining: ByteView.bigEndian(content.count + 8, count: 4), type, content)
  }

  fileprivate var whole: [UInt8] { Box.bytes(name.array, payload.array) }
}
