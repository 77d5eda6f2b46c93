/// A file as a tree of its parts, of which one is changed at a time: lengths and checksums stay right, so that the change is
/// what a decoder meets.
struct StructureFuzzing {
  enum Syntax {
    /// ISO boxes: AVIF, HEIC and JPEG XL.
    case boxes
    case png
    case riff
    /// The entries of the first directory.
    case tiff
  }

  final class Part {
    var type: [UInt8]
    /// What precedes the parts in it, or everything.
    var head: [UInt8]
    var parts: [Part]

    init(_ type: [UInt8], _ head: [UInt8], _ parts: [Part] = []) {
      (self.type, self.head, self.parts) = (type, head, parts)
    }

    var copy: Part { Part(type, head, parts.map(\.copy)) }
    /// It, and all parts in it.
    var all: [Part] { [self] + parts.flatMap(\.all) }
  }

  let syntax: Syntax
  private let root: Part
  private let file: [UInt8]

  init(_ file: [UInt8], _ syntax: Syntax) {
    (self.file, self.syntax) = (file, syntax)
    switch syntax {
    case .boxes: root = Part([], [], Self.dataFirst(Self.boxes(file[...])))
    case .png: root = Part([], Array(file.prefix(8)), Self.chunks(file.dropFirst(8)))
    case .riff: root = Part([], Array(file.prefix(12)), Self.riff(file.dropFirst(12)))
    case .tiff: root = Part([], [])
    }
  }

  /// The file with one to three changes. `random` returns a number below its argument.
  func changed(_ random: (Int) -> Int) -> [UInt8] {
    if syntax == .tiff { return changedDirectory(random) }
    let tree = root.copy
    for _ in 0...random(3) { change(tree, random) }
    return bytes(tree)
  }

  // MARK: Changes

  private static let types = [
    "ftyp", "meta", "hdlr", "pitm", "iloc", "iinf", "infe", "iprp", "ipco", "ipma", "ispe", "pixi", "colr",
    "clap", "irot",
    "imir", "auxC", "av1C", "hvcC", "iref", "dimg", "auxl", "cdsc", "thmb", "prem", "idat", "mdat", "moov",
    "trak", "grpl",
    "altr", "free", "uuid", "jxlc", "jxlp", "jbrd", "brob", "Exif", "xml ",
  ].map { Array($0.utf8) }
  private static let items = ["grid", "iovl", "iden", "tmap", "hvc1", "av01", "mime", "Exif"].map {
    Array($0.utf8)
  }

  private func change(_ tree: Part, _ random: (Int) -> Int) {
    let all = tree.all.dropFirst()
    guard !all.isEmpty else { return }
    let part = all[all.startIndex + random(all.count)]
    let owners = tree.all.filter { !$0.parts.isEmpty }
    let owner = owners[random(owners.count)]
    let index = random(owner.parts.count)
    switch random(12) {
    case 0: owner.parts.remove(at: index)
    case 1: owner.parts.insert(owner.parts[index].copy, at: random(owner.parts.count))
    case 2: owner.parts += (0..<random(400)).map { _ in owner.parts[index].copy }
    case 3: owner.parts.swapAt(index, random(owner.parts.count))
    case 4: owners[random(owners.count)].parts.append(owner.parts[index].copy)
    case 5: part.type = Self.types[random(Self.types.count)]
    case 6: part.head = Array(part.head.prefix(random(part.head.count + 1)))
    case 7: part.head += (0..<random(40)).map { _ in UInt8(random(256)) }
    default: changeField(&part.head, random)
    }
  }

  /// A number of one, two or four bytes becomes one that is an end of something.
  private func changeField(_ bytes: inout [UInt8], _ random: (Int) -> Int) {
    guard !bytes.isEmpty else { return }
    // Fields are at the beginning; what is coded is elsewhere.
    let position = random(min(bytes.count, random(4) == 0 ? bytes.count : 48))
    let count = min([1, 2, 4][random(3)], bytes.count - position)
    let value = bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    let most = 1 << (count * 8) - 1
    let ends = [
      0, 1, 2, value + 1, value - 1, value * 2, most, most - 1, most / 2, most / 2 + 1, 64, 255, 65_535,
      random(most + 1),
    ]
    if count == 4, random(4) == 0 {
      bytes.replaceSubrange(position..<position + 4, with: Self.items[random(Self.items.count)])
    } else {
      bytes.replaceSubrange(position..<position + count, with: big(ends[random(ends.count)], count: count))
    }
  }

  private func changedDirectory(_ random: (Int) -> Int) -> [UInt8] {
    var bytes = file
    let isBig = bytes[0] == UInt8(ascii: "M")
    func number(_ position: Int, _ count: Int) -> Int {
      let part = bytes[position..<min(position + count, bytes.count)]
      return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    let start = number(4, 4)
    guard start + 2 < bytes.count else { return bytes }
    let entries = max(number(start, 2), 1)
    for _ in 0...random(3) {
      let entry = start + 2 + random(entries) * 12
      let (offset, count) = [(0, 2), (2, 2), (4, 4), (8, 4), (8, 2)][random(5)]
      guard entry + offset + count <= bytes.count else { continue }
      let value = number(entry + offset, count)
      let ends = [
        0, 1, 2, 3, 7, 8, 16, 32, value + 1, value - 1, value * 2, 65_535, 1 << 31, 0xFFFF_FFFF, bytes.count,
        random(70_000),
      ]
      let changed = big(ends[random(ends.count)], count: count)
      bytes.replaceSubrange(
        entry + offset..<entry + offset + count, with: isBig ? changed : changed.reversed())
    }
    return bytes
  }

  // MARK: Parsing and writing

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [Part] {
    var parts: [Part] = []
    var rest = bytes
    while rest.count >= 8 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length == 0 || (8...rest.count).contains(length) else { break }
      let content = rest.dropFirst(8).prefix((length == 0 ? rest.count : length) - 8)
      let type = Array(rest.dropFirst(4).prefix(4))
      rest = rest.dropFirst(content.count + 8)
      let head: Int? =
        switch String(decoding: type, as: UTF8.self) {
        case "iprp", "ipco", "moov", "trak", "mdia", "minf", "stbl", "edts": 0
        case "meta", "iref": 4
        case "iinf": content.first == 0 ? 6 : 8
        case "stsd": 8
        default: nil
        }
      if let head, content.count >= head {
        parts.append(Part(type, Array(content.prefix(head)), boxes(content.dropFirst(head))))
      } else {
        parts.append(Part(type, Array(content)))
      }
    }
    return parts
  }

  /// With the data behind the first box, where they stay when descriptions become longer. Places of four bytes are changed.
  private static func dataFirst(_ boxes: [Part]) -> [Part] {
    guard boxes.count > 2, let index = boxes.firstIndex(where: { $0.type == Array("mdat".utf8) }), index > 1
    else { return boxes }
    func length(_ part: Part) -> Int { 8 + part.head.count + part.parts.reduce(0) { $0 + length($1) } }
    let distance = boxes[1..<index].reduce(0) { $0 + length($1) }
    let places = boxes.flatMap(\.all).filter { [Array("iloc".utf8), Array("stco".utf8)].contains($0.type) }
    for part in places {
      let isTable = part.type == Array("stco".utf8)
      let version = Int(part.head.first ?? 0)
      // Entries of the versions 0 and 1, with numbers of four bytes and one extent each.
      guard isTable || part.head.count > 6 && part.head[4] == 0x44 else { continue }
      let base = isTable ? 0 : Int(part.head[5] >> 4)
      let place = isTable ? 0 : (version == 0 ? 4 : 6) + (base == 0 ? 2 : 0)
      let step = isTable ? 4 : (version == 0 ? 14 : 16) + base
      for position in stride(from: 8, through: part.head.count - step, by: step) {
        let offset = position + place
        // Data beside the descriptions stay there.
        let isInside = !isTable && version == 1 && part.head[position + 3] & 15 == 1
        let value = part.head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        if !isInside {
          part.head.replaceSubrange(offset..<offset + 4, with: big(max(0, value - distance), count: 4))
        }
      }
    }
    var moved = boxes
    moved.insert(moved.remove(at: index), at: 1)
    return moved
  }

  private static func chunks(_ bytes: ArraySlice<UInt8>) -> [Part] {
    var parts: [Part] = []
    var rest = bytes
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 12 else { break }
      parts.append(Part(Array(rest.dropFirst(4).prefix(4)), Array(rest.dropFirst(8).prefix(length))))
      rest = rest.dropFirst(length + 12)
    }
    return parts
  }

  private static func riff(_ bytes: ArraySlice<UInt8>) -> [Part] {
    var parts: [Part] = []
    var rest = bytes
    while rest.count >= 8 {
      let length = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 8 else { break }
      let type = Array(rest.prefix(4))
      let content = rest.dropFirst(8).prefix(length)
      let isFrame = type == Array("ANMF".utf8) && length > 16
      parts.append(
        isFrame
          ? Part(type, Array(content.prefix(16)), riff(content.dropFirst(16))) : Part(type, Array(content)))
      rest = rest.dropFirst(length + length % 2 + 8)
    }
    return parts
  }

  private func bytes(_ part: Part) -> [UInt8] {
    let content = part.head + part.parts.flatMap(bytes)
    guard !part.type.isEmpty else { return syntax == .riff ? sized(content) : content }
    switch syntax {
    case .boxes: return big(content.count + 8, count: 4) + part.type + content
    case .png:
      return big(content.count, count: 4) + part.type + content + big(Self.sum(part.type + content), count: 4)
    case .riff, .tiff:
      let padding: [UInt8] = content.count.isMultiple(of: 2) ? [] : [0]
      return part.type + big(content.count, count: 4).reversed() + content + padding
    }
  }

  private func sized(_ file: [UInt8]) -> [UInt8] {
    Array(file.prefix(4)) + big(file.count - 8, count: 4).reversed() + file.dropFirst(8)
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
  }

  private static func sum(_ bytes: [UInt8]) -> Int {
    Int(~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 })
  }
}
