/// The directives of `Cache-Control` of a request or a response, by RFC 9111.
///
/// An ``HTTPCache`` applies them by itself. Use them for a cache or a server of your own, with the headers of ``LoadedHead``. Names
/// are in lower case.
public struct HTTPCacheControl: Hashable, Sendable {
  private var values: [String: [String]] = [:]

  /// Reads all fields of a head. `Pragma: no-cache` is used if there is no `Cache-Control`.
  public init(_ headers: HeaderFields) {
    for field in headers.values(for: "Cache-Control") { read(field) }
    let pragmas = headers.values(for: "Pragma").flatMap(listElements)
    if headers["Cache-Control"] == nil, pragmas.contains(where: { $0.lowercasedASCII == "no-cache" }) {
      values["no-cache"] = [""]
    }
  }

  /// Returns whether there is a directive of this name, with or without a value.
  public func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of a directive in seconds, or `nil` if it is absent.
  ///
  /// An invalid number counts as 0, and the least of several values is used: the sender did not want the response
  /// stored for long.
  public func seconds(_ name: String) -> Int? {
    values[name]?.map { Int(digits: $0.utf8, clampedTo: 1 << 31) ?? 0 }.min()
  }

  /// Returns whether there is a directive of this name without a value, such as `immutable`.
  public func isBare(_ name: String) -> Bool { values[name]?.contains("") ?? false }

  private mutating func read(_ field: String) {
    var rest = field.unicodeScalars[...]
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "=" && $0 != "," }
      rest = rest[name.endIndex...]
      var value = ""
      if rest.first == "=" {
        rest.removeFirst()
        value = Self.takeValue(from: &rest)
      }
      rest = rest.drop { $0 != "," }.dropFirst()
      let key = trimmed(String(name)) { !isTokenByte($0) }.lowercasedASCII
      if !key.isEmpty { values[key, default: []].append(trimmed(value)) }
    }
  }

  private static func takeValue(from rest: inout Substring.UnicodeScalarView) -> String {
    let start = rest.drop { $0 == " " || $0 == "\t" }
    guard start.first == "\"" else { return String(rest.prefix { $0 != "," }) }
    var value = ""
    var isEscaped = false
    rest = start.dropFirst()
    while let next = rest.popFirst() {
      if isEscaped {
        value.unicodeScalars.append(next)
        isEscaped = false
      } else if next == "\\" {
        isEscaped = true
      } else if next == "\"" {
        break
      } else {
        value.unicodeScalars.append(next)
      }
    }
    return value
  }
}

extension HeaderFields {
  /// The entity tag in `ETag`, if it is valid.
  var entityTag: EntityTag? { self["ETag"].flatMap(EntityTag.init) }
}

/// An entity tag. It is weak if responses with this tag may differ in their bytes.
package struct EntityTag: Hashable, Sendable {
  package let opaque: String
  package let isWeak: Bool

  /// `"abc"` or `W/"abc"`; `nil` for anything else.
  package init?(_ text: String) {
    let bytes = trimmed(text).utf8
    isWeak = bytes.starts(with: "W/".utf8)
    opaque = String(decoding: bytes.dropFirst(isWeak ? 2 : 0), as: UTF8.self)
    let (inside, mark) = (opaque.utf8.dropFirst().dropLast(), UInt8(ascii: "\""))
    guard opaque.utf8.count >= 2, opaque.utf8.first == mark, opaque.utf8.last == mark,
      inside.allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 })
    else { return nil }
  }

  package var text: String { (isWeak ? "W/" : "") + opaque }

  /// Whether both tags are strong and equal. Then the bytes are the same.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque.hasSameBytes(as: other.opaque)
  }

  /// Whether the tags are equal apart from weakness. If so, either response may be used in place of the other.
  package func isWeaklyEqual(to other: EntityTag) -> Bool { opaque.hasSameBytes(as: other.opaque) }
}
