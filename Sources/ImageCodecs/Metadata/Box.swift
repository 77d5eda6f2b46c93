/// A piece of a file made of boxes (ISO/IEC 14496-12): AVIF and HEIC.
struct Box {
  let type: String
  let payload: ByteView
  let end: Int
  /// Whether all that its length announces is there.
  let isComplete: Bool

  /// Nil unless its header is there and makes sense.
  init?(_ bytes: ByteView, at position: Int) {
    guard let short = bytes.big(position, count: 4), let name = bytes.slice(position + 4, count: 4) else {
      return nil
    }
    type = String(decoding: name.array, as: UTF8.self)
    var header = 8
    var length = short
    if short == 1 {
      // More than four bytes of length are more than any file has.
      guard bytes.big(position + 8, count: 4) == 0, let long = bytes.big(position + 12, count: 4) else {
        return nil
      }
      length = long
      header = 16
    } else if short == 0 {
      length = bytes.count - position
    }
    guard length >= header else { return nil }
    end = position + length
    isComplete = end <= bytes.count
    guard
      let payload = bytes.slice(position + header, count: min(length, bytes.count - position) - header)
    else { return nil }
    self.payload = payload
  }

  /// More than that are not listed.
  static let maximumCount = 10_000

  /// The boxes in `bytes`, from `start` on.
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
