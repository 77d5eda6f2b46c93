internal import Foundation
internal import StreamImages

/// A path as imgproxy reads it: `/SIGNATURE/OPTION:VALUE/…/plain/URL@FORMAT`, or with the URL in base64url and `.FORMAT`.
///
/// Options that this server cannot fulfil are refused, and not ignored.
package struct ImgproxyPath {
  let signature: String
  /// The rest of the path, as it was sent.
  package let signedText: String
  package let options: OptionList

  /// - Parameter path: Percent-encoded, without a query.
  package init(_ path: String) throws(Refusal) {
    let parts = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard path.first == "/", parts.count == 2 else { throw .bad("query.url") }
    (signature, signedText) = (String(parts[0]), "/\(parts[1])")

    var reader = ImgproxyOptions()
    var rest = parts[1]
    while true {
      let (segment, tail) = Self.first(of: rest)
      if segment == "plain", let tail {
        try reader.readPlain(tail)
        break
      }
      guard segment.contains(":"), let tail else {
        try reader.readEncoded(rest)
        break
      }
      try reader.read(segment.split(separator: ":", omittingEmptySubsequences: false).map { String($0) })
      rest = tail
    }
    options = try OptionList(reader.query().map { (name: $0.key, value: $0.value) })
  }

  private static func first(of path: Substring) -> (Substring, Substring?) {
    guard let end = path.firstIndex(of: "/") else { return (path, nil) }
    return (path[..<end], path[path.index(after: end)...])
  }
}

/// Translates imgproxy's options. A later option replaces an earlier one.
private struct ImgproxyOptions {
  private var values: [String: String] = [:]
  private var isFilled = false
  private var isExtended = false

  /// The options of a query.
  func query() throws(Refusal) -> [String: String] {
    // imgproxy would extend images that are smaller than the box.
    guard !isFilled || !isExtended else { throw .bad("query.fit") }
    var query = values
    query["fit"] = isFilled ? "cover" : isExtended ? "fill" : nil
    return query
  }

  mutating func readPlain(_ text: Substring) throws(Refusal) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let url = parts[0].removingPercentEncoding, !url.isEmpty else { throw .bad("query.url") }
    values["url"] = url
    if parts.count == 2 { try readFormat(String(parts[1])) }
  }

  mutating func readEncoded(_ text: Substring) throws(Refusal) {
    let parts = String(text).replacing("/", with: "")
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var encoded = parts[0].replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
    encoded += String(repeating: "=", count: (4 - encoded.count % 4) % 4)
    guard let data = Data(base64Encoded: encoded), let url = String(data: data, encoding: .utf8), !url.isEmpty
    else { throw .bad("query.url") }
    values["url"] = url
    if parts.count == 2 { try readFormat(String(parts[1])) }
  }

  mutating func read(_ words: [String]) throws(Refusal) {
    let arguments = Array(words.dropFirst())
    switch words[0] {
    case "resize", "rs":
      try readFit(arguments.first ?? "")
      try readSize(Array(arguments.dropFirst()))
    case "size", "s": try readSize(arguments)
    case "resizing_type", "rt": try readFit(try one(arguments, "fit"))
    case "width", "w": set("w", try one(arguments, "w"), unless: "0")
    case "height", "h": set("h", try one(arguments, "h"), unless: "0")
    case "dpr": set("dpr", try one(arguments, "dpr"))
    case "enlarge", "el": try readFlag("enlarge", try one(arguments, "enlarge"))
    case "extend", "ex": try readExtension(arguments)
    case "gravity", "g": try readGravity(arguments)
    case "crop", "c": try readCrop(arguments)
    case "rotate", "rot": set("rotate", try one(arguments, "rotate"))
    case "flip", "fl": try readFlip(arguments)
    case "blur", "bl": set("blur", try one(arguments, "blur"), unless: "0")
    case "sharpen", "sh": set("sharpen", try one(arguments, "sharpen"), unless: "0")
    case "pixelate", "pix": set("pixelate", try one(arguments, "pixelate"), unless: "0")
    case "trim", "t": try readTrim(arguments)
    case "padding", "pd": set("pad", arguments.joined(separator: ","))
    case "watermark", "wm": set("wm", try one(arguments, "wm"))
    case "background", "bg": try readBackground(arguments)
    case "quality", "q": set("q", try one(arguments, "q"), unless: "0")
    case "format", "f", "ext": try readFormat(try one(arguments, "format"))
    case "preset", "pr": set("preset", arguments.joined(separator: ","))
    case "cachebuster", "cb": set("v", try one(arguments, "v"))
    case "expires", "exp": set("expires", try one(arguments, "expires"))
    // Thumbnails are always upright and without metadata.
    case "auto_rotate", "ar", "strip_metadata", "sm":
      guard try flag(try one(arguments, "unknown-option"), "unknown-option") else {
        throw .bad("query.unknown-option")
      }
    default: throw .bad("query.unknown-option")
    }
  }

  private mutating func set(_ name: String, _ value: String, unless usual: String = "") {
    values[name] = value.isEmpty || value == usual ? nil : value
  }

  private func one(_ arguments: [String], _ name: String) throws(Refusal) -> String {
    guard arguments.count == 1 else { throw .bad("query.\(name)") }
    return arguments[0]
  }

  private func flag(_ text: String, _ name: String) throws(Refusal) -> Bool {
    switch text {
    case "1", "t", "true": true
    case "", "0", "f", "false": false
    default: throw .bad("query.\(name)")
    }
  }

  private mutating func readFlag(_ name: String, _ text: String) throws(Refusal) {
    values[name] = try flag(text, name) ? "1" : nil
  }

  private mutating func readFit(_ type: String) throws(Refusal) {
    switch type {
    case "", "fit": isFilled = false
    case "fill": isFilled = true
    default: throw .bad("query.fit")
    }
  }

  /// Width, height, enlarge, and extend with its gravity.
  private mutating func readSize(_ arguments: [String]) throws(Refusal) {
    if arguments.count > 0 { set("w", arguments[0], unless: "0") }
    if arguments.count > 1 { set("h", arguments[1], unless: "0") }
    if arguments.count > 2 { try readFlag("enlarge", arguments[2]) }
    if arguments.count > 3 { try readExtension(Array(arguments.dropFirst(3))) }
  }

  private mutating func readExtension(_ arguments: [String]) throws(Refusal) {
    guard arguments.count == 1 || arguments.dropFirst() == ["ce"] else { throw .bad("query.fit") }
    isExtended = try flag(arguments[0], "fit")
  }

  private static let gravities = [
    "no": "top", "so": "bottom", "ea": "right", "we": "left", "noea": "top-right", "nowe": "top-left",
    "soea": "bottom-right", "sowe": "bottom-left", "ce": "center", "sm": "attention",
  ]

  private mutating func readGravity(_ arguments: [String]) throws(Refusal) {
    (values["gravity"], values["focus"]) = (nil, nil)
    if arguments.first == "fp", arguments.count == 3 {
      values["focus"] = "\(arguments[1]),\(arguments[2])"
      return
    }
    guard let name = arguments.first.flatMap({ Self.gravities[$0] }),
      arguments.dropFirst().allSatisfy({ $0 == "0" })
    else { throw .bad("query.gravity") }
    values["gravity"] = name
  }

  private mutating func readCrop(_ arguments: [String]) throws(Refusal) {
    guard arguments.count == 2 || arguments.count == 3 else { throw .bad("query.crop") }
    var crop = "\(arguments[0]),\(arguments[1])"
    if arguments.count == 3 {
      guard let name = Self.gravities[arguments[2]] else { throw .bad("query.crop") }
      crop += ",\(name)"
    }
    values["crop"] = crop
  }

  /// A threshold of 255; the color is that of the corner.
  private mutating func readTrim(_ arguments: [String]) throws(Refusal) {
    guard let threshold = Double(try one(arguments, "trim")), (0...255).contains(threshold) else {
      throw .bad("query.trim")
    }
    values["trim"] = "\(threshold / 255)"
  }

  private mutating func readFlip(_ arguments: [String]) throws(Refusal) {
    guard (1...2).contains(arguments.count) else { throw .bad("query.flip") }
    let horizontally = try flag(arguments[0], "flip")
    let vertically = try flag(arguments.dropFirst().first ?? "", "flip")
    set("flip", (horizontally ? "h" : "") + (vertically ? "v" : ""))
  }

  private mutating func readBackground(_ arguments: [String]) throws(Refusal) {
    switch arguments.count {
    case 1: set("bg", arguments[0])
    case 3:
      let numbers = arguments.compactMap { UInt8($0) }
      guard numbers.count == 3 else { throw .bad("query.bg") }
      values["bg"] = Image.Pixel(red: numbers[0], green: numbers[1], blue: numbers[2]).hex
    default: throw .bad("query.bg")
    }
  }

  private mutating func readFormat(_ name: String) throws(Refusal) {
    set("format", name == "jpg" ? "jpeg" : name)
  }
}
