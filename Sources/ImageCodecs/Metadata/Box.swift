/// A box of a file (ISO/IEC 14496-12): AVIF and HEIC.
struct Box {
  let type: String
  /// The bytes of the type.
  let name: ByteView
  let payload: ByteView
  let end: Int
  /// Whether its length has eight bytes.
  let isLong: Bool
  /// Whether the file contains the whole box.
  let isComplete: Bool

  /// `nil` if the header is missing or not valid.
  init?(_ bytes: ByteView, at position: Int) {
    guard let short = bytes.big(position, count: 4), let name = bytes.slice(position + 4, count: 4) else {
      return nil
    }
    self.name = name
    type = name.text
    var header = 8
    var length = short
    if short == 1 {
      // A length of more than four bytes exceeds every file.
      guard bytes.big(position + 8, count: 4) == 0, let long = bytes.big(position + 12, count: 4) else {
        return nil
      }
      length = long
      header = 16
    } else if short == 0 {
      length = bytes.count - position
    }
    isLong = header == 16
    guard length >= header else { return nil }
    end = position + length
    isComplete = end <= bytes.count
    guard
      let payload = bytes.slice(position + header, count: min(length, bytes.count - position) - header)
    else { return nil }
    self.payload = payload
  }

  /// Further boxes are ignored.
  static let maximumCount = 10_000

  /// Returns the boxes in `bytes` from `start`.
  static func list(_ bytes: ByteView, from start: Int = 0) -> [Box] {
    var boxes: [Box] = []
    var position = start
    while boxes.count < maximumCount, let box = Box(bytes, at: position) {
      boxes.append(box)
      position = box.end
    }
    return boxes
  }
}
