/// Joins words and parameters into a text. Different lists have different texts.
///
/// Words and numbers contain no quotation marks. Other text is quoted, with its quotation marks and backslashes
/// escaped.
enum ProcessorIdentifier {
  static func make(_ name: String, _ parts: Part?...) -> String {
    ([name] + parts.compactMap { $0?.text }).joined(separator: " ")
  }

  static func quote(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }

  struct Part: Sendable, ExpressibleByStringLiteral {
    fileprivate let text: String

    private init(text: String) { self.text = text }

    init(stringLiteral word: StaticString) { text = "\(word)" }

    static func number(_ value: Double) -> Part { Part(text: "\(value)") }

    static func number(_ value: Int) -> Part { Part(text: "\(value)") }

    static func name(_ value: some RawRepresentable<String>) -> Part { Part(text: value.rawValue) }

    static func color(_ color: Image.Pixel) -> Part {
      let digits = [color.red, color.green, color.blue, color.alpha].map { value in
        String(value >> 4, radix: 16) + String(value & 15, radix: 16)
      }
      return Part(text: "#" + digits.joined())
    }

    static func quoted(_ text: String) -> Part { Part(text: quote(text)) }

    /// A hash of the pixels.
    static func pixels(_ image: Image) -> Part {
      let digest = image.withUnsafeBytes { SHA256.hex(Array($0)) }
      return Part(text: "\(image.width)x\(image.height) \(image.pixelFormat) \(digest)")
    }

    static func border(_ border: ImageProcessors.Border?) -> Part? {
      border.map { Part(text: "border \($0.pixels) " + color($0.color).text) }
    }
  }
}
