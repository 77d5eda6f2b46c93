package import Foundation

/// The beginning of a body whose load was interrupted, with what is needed to request the rest.
package struct PartialBody: Sendable {
  var bytes: Data
  /// The head of the response that the bytes belong to.
  var head: LoadedHead
  /// The size of the whole body, if it is known.
  var total: Int?

  /// The value of `If-Range`: a validator that changes with every byte.
  package var validator: String { Self.validator(of: head)! }

  /// - Returns: `nil` if the rest cannot be requested safely.
  package init?(_ bytes: Data, of head: LoadedHead, total: Int?) {
    guard !bytes.isEmpty, head.status == 200, !head.isContentCoded, Self.validator(of: head) != nil,
      head.headers.values(for: "Accept-Ranges").flatMap(listElements).contains(where: {
        $0.lowercasedASCII == "bytes"
      }),
      total.map({ bytes.count < $0 }) ?? true
    else { return nil }
    (self.bytes, self.head, self.total) = (bytes, head, total)
  }

  /// Returns whether a partial response is the rest of this body.
  package func isContinued(by head: LoadedHead) -> Bool {
    guard head.status == 206, !head.isContentCoded, head.hasPlace(of: self.head), let part = head.partial,
      part.bytes.lowerBound == bytes.count, total == nil || part.total == nil || part.total == total,
      let end = part.total ?? total, part.bytes.upperBound == end
    else { return false }
    // The same kind of validator must match: a partial response without it may belong to another version.
    guard let known = self.head.headers["ETag"] else {
      return head.headers["Last-Modified"]?.hasSameBytes(as: validator) ?? false
    }
    guard let known = EntityTag(known), let tag = head.headers.entityTag else { return false }
    return known.isStronglyEqual(to: tag)
  }

  /// A strong tag, or a modification time if the response was made in a later second, when the content could not
  /// change again within it.
  private static func validator(of head: LoadedHead) -> String? {
    if let text = head.headers["ETag"] { return EntityTag(text).flatMap { $0.isWeak ? nil : $0.text } }
    guard let modified = head.headers["Last-Modified"], let date = head.headers["Date"],
      let changed = HTTPTime.seconds(modified, now: 0), let made = HTTPTime.seconds(date, now: 0),
      made > changed
    else { return nil }
    return modified
  }
}
