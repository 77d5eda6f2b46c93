extension ExifData {
  /// The bytes of the fields, in the byte order in which they were read.
  var serialized: [UInt8] {
    var writer = ExifWriter(isBigEndian: isBigEndian)
    writer.append(directory: .image, of: self)
    return writer.bytes
  }

  mutating func set(_ name: String, _ type: Int, _ bytes: [UInt8]) {
    guard let tag = ExifTag(name) else { return }
    fields[tag] = ExifField(type: type, bytes: bytes)
  }

  /// Sets an integer of 16 bits, or of 32.
  mutating func set(_ name: String, _ number: Int, isLong: Bool = false) {
    set(
      name, isLong ? ExifField.long : ExifField.short,
      ExifField.number(number, isLong ? 4 : 2, isBigEndian: isBigEndian))
  }

  mutating func set(_ name: String, _ text: String) { set(name, ExifField.ascii, Array(text.utf8) + [0]) }
}

private struct ExifWriter {
  private let isBigEndian: Bool
  private(set) var bytes: [UInt8]

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
    bytes = Array((isBigEndian ? "MM" : "II").utf8)
    bytes += number(42, 2) + number(8, 4)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    ExifField.number(value, count, isBigEndian: isBigEndian)
  }

  /// A directory, its values, and then those that it links to.
  mutating func append(directory: ExifTag.Directory, of data: ExifData) {
    let own = data.fields.filter { $0.key.directory == directory }
    let links = ExifTag.links.filter { $0.from == directory && data.has($0.to) }
    let noNextDirectory = number(0, 4)
    bytes += number(own.count + links.count, 2)
    let entries = bytes.count
    bytes += [UInt8](repeating: 0, count: (own.count + links.count) * 12) + noNextDirectory

    let numbers = (own.keys.map(\.number) + links.map(\.number)).sorted()
    for (index, tag) in numbers.enumerated() {
      var entry = number(Int(tag), 2)
      if let link = links.first(where: { $0.number == tag }) {
        entry += number(ExifField.long, 2) + number(1, 4) + number(bytes.count, 4)
        append(directory: link.to, of: data)
      } else if let field = own[ExifTag(directory, tag)] {
        entry += number(field.type, 2) + number(field.count, 4)
        entry += field.bytes.count <= 4 ? field.bytes : place(field.bytes)
        entry += [UInt8](repeating: 0, count: 12 - entry.count)
      }
      bytes.replaceSubrange(entries + index * 12..<entries + index * 12 + 12, with: entry)
    }
  }

  /// Values begin at even offsets.
  private mutating func place(_ value: [UInt8]) -> [UInt8] {
    let offset = number(bytes.count, 4)
    bytes += value + (value.count % 2 == 1 ? [0] : [])
    return offset
  }
}

extension ExifData {
  /// Whether a directory has a field.
  fileprivate func has(_ directory: ExifTag.Directory) -> Bool {
    fields.keys.contains { $0.directory == directory }
  }
}
