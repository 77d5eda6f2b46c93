/// A guess at what bytes are that are not an image, to make an error readable.
public enum ContentHint: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// No bytes at all.
  case empty
  /// HTML, usually an error page.
  case html
  /// A JSON object or array, by its first character.
  case json
  /// XML, including SVG, which is rendered only if an SVG decoder is registered.
  case xml
  /// No control characters other than white space, and not the beginning of an image.
  case text
  /// None of these.
  case unknown

  public var description: String {
    switch self {
    case .empty: "no data"
    case .html: "it looks like a web page"
    case .json: "it looks like JSON"
    case .xml: "it looks like XML; to load SVG, register an SVGDecoder"
    case .text: "it looks like text"
    case .unknown: "unknown data"
    }
  }

  /// Reads no more than the first ``ImageFormat/sniffingLength`` bytes.
  public init(sniffing prefix: some Sequence<UInt8>) {
    let bytes = Array(prefix.prefix(ImageFormat.sniffingLength))
    guard !bytes.isEmpty else {
      self = .empty
      return
    }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let start = content.drop { $0.isSpace }.map(\.lowercased)
    switch start.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      self = .json
    case UInt8(ascii: "<"):
      let isPage = ["<!doctype html", "<html", "<head", "<body"].contains { start.starts(with: $0.utf8) }
      self = isPage ? .html : .xml
    default:
      self = bytes.allSatisfy(\.isPrintable) && !ImageFormat.isBegun(by: bytes) ? .text : .unknown
    }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
  fileprivate var isPrintable: Bool { isSpace || (0x20...0x7E).contains(self) || self >= 0x80 }
}
