internal import Foundation
internal import StreamImages

/// An entry as an object contains it: a line of JSON, and the bytes.
struct S3Entry {
  private struct Head: Codable {
    var version: Int
    var name: String
    var checksum: String
    var attributes: [String: String]
  }

  let name: String
  let cached: CachedData

  init(name: String, cached: CachedData) { (self.name, self.cached) = (name, cached) }

  /// `nil` if the object is not this entry, whole and unchanged.
  init?(named name: String, in object: Data) {
    guard let end = object.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: object[..<end]), head.version == 1,
      head.name == name
    else { return nil }
    let data = Data(object[object.index(after: end)...])
    guard Digest.hex(Digest.sha256(data)) == head.checksum else { return nil }
    self.init(name: name, cached: CachedData(data, attributes: head.attributes))
  }

  func encoded() throws(DataCacheError) -> Data {
    let head = Head(
      version: 1, name: name, checksum: Digest.hex(Digest.sha256(cached.data)), attributes: cached.attributes)
    do { return try JSONEncoder().encode(head) + Data("\n".utf8) + cached.data } catch {
      throw .encodingFailed(reason: "\(error)")
    }
  }

  /// Whether an object could be an entry.
  static func isName(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

/// A page of the names of objects. Names of entries need no more of XML than this.
struct S3Listing {
  let keys: [String]
  let continuation: String?

  init(_ xml: String) {
    // AWS encodes as forms do: a space is a plus sign, and that is %2B.
    let isEncoded = Self.values(of: "EncodingType", in: xml).first == "url"
    keys = Self.values(of: "Key", in: xml).map { key in
      (isEncoded ? key.replacingOccurrences(of: "+", with: " ") : key).removingPercentEncoding ?? key
    }
    let isTruncated = Self.values(of: "IsTruncated", in: xml).first == "true"
    continuation =
      isTruncated ? Self.values(of: "NextContinuationToken", in: xml).first.map(Self.unescaped) : nil
  }

  private static func values(of element: String, in xml: String) -> [String] {
    xml.components(separatedBy: "<\(element)>").dropFirst().compactMap {
      $0.range(of: "</\(element)>").map { [text = $0] end in String(text[..<end.lowerBound]) }
    }
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }
}
