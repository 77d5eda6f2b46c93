/// An encoding of fields in which different lists of fields have different bytes.
///
/// Each field is preceded by its length, so a URL that ends like the name of a processor is still distinguished.
package struct CanonicalBytes {
  package private(set) var bytes: [UInt8] = []

  /// - Parameter domain: The kind of list. Lists of different kinds differ.
  package init(_ domain: String) { append(domain) }

  package mutating func append(_ field: String) {
    append(count: field.utf8.count)
    bytes.append(contentsOf: field.utf8)
  }

  /// An absent field differs from an empty one.
  package mutating func append(_ field: String?) {
    append(count: field == nil ? 0 : 1)
    if let field { append(field) }
  }

  package mutating func append(_ fields: [String]) {
    append(count: fields.count)
    for field in fields { append(field) }
  }

  private mutating func append(count: Int) {
    withUnsafeBytes(of: UInt64(count).littleEndian) { bytes.append(contentsOf: $0) }
  }
}
