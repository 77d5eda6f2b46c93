internal import Foundation

/// The beginning of a body whose load broke off, and what is needed to ask for the rest.
struct Prefix: Sendable {
  var bytes: Data
  /// Of the answer that the bytes are of.
  var head: LoadedHead
  /// The size of the whole, if it is known.
  var total: Int?

  /// What `If-Range` is to say: what changes with every byte.
  var validator: String { Self.validator(of: head)! }

  /// - Returns: `nil` if the rest could not be asked for, or not be told from the rest of something else.
  init?(_ bytes: Data, of head: LoadedHead, total: Int?) {
    guard !bytes.isEmpty, head.status == 200, !head.isContentCoded, Self.validator(of: head) != nil,
      head.headers.combined("Accept-Ranges")?.lowercased().split(separator: ",")
        .contains(where: { trimmed(String($0)) == "bytes" }) ?? false,
      total.map({ bytes.count < $0 }) ?? true
    else { return nil }
    (self.bytes, self.head, self.total) = (bytes, head, total)
  }

  /// Whether a part is the rest of these bytes, to the end.
  func isContinued(by head: LoadedHead) -> Bool {
    guard head.status == 206, !head.isContentCoded, let part = head.partial,
      part.bytes.lowerBound == bytes.count, total == nil || part.total == nil || part.total == total,
      let end = part.total ?? total, part.bytes.upperBound == end
    else { return false }
    // The validator that was asked for, and of the same kind: a part that does not name it may be of another version.
    guard let known = self.head.headers["ETag"] else { return head.headers["Last-Modified"] == validator }
    guard let known = EntityTag(known), let tag = head.headers["ETag"].flatMap(EntityTag.init) else {
      return false
    }
    return known.isStronglyEqual(to: tag)
  }

  /// A strong tag; or a time of change, if the answer was made in a later second, in which it may not have changed again.
  private static func validator(of head: LoadedHead) -> String? {
    if let text = head.headers["ETag"] {
      return EntityTag(text).flatMap { $0.isWeak ? nil : $0.text }
    }
    guard let modified = head.headers["Last-Modified"], let date = head.headers["Date"],
      let changed = HTTPTime.seconds(modified, now: 0), let made = HTTPTime.seconds(date, now: 0),
      made > changed
    else { return nil }
    return modified
  }
}
