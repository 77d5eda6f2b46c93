/// Takes a source apart into tokens. Comments are left out; a text with all that is interpolated is one
/// token, and so is a directive of C's preprocessor.
struct Lexer {
  let bytes: [UInt8]
  let language: Language
  var place = 0
  private var line = 1
  private var isFirstInLine = true
  private var tokens: [Token] = []

  static func tokens(of bytes: [UInt8], _ language: Language) -> [Token] {
    var lexer = Lexer(bytes, language)
    lexer.run()
    lexer.findPartners()
    return lexer.tokens
  }

  private init(_ bytes: [UInt8], _ language: Language) {
    self.bytes = bytes
    self.language = language
  }

  func at(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }
  func has(_ text: StaticString, at place: Int) -> Bool {
    text.withUTF8Buffer { text in text.indices.allSatisfy { at(place + $0) == text[$0] } }
  }

  private mutating func run() {
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\n") {
        step()
        isFirstInLine = true
      } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") {
        place += 1
      } else if has("//", at: place) {
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      } else if has("/*", at: place) {
        skipComment()
      } else {
        add()
      }
    }
  }

  mutating func step() {
    if at(place) == UInt8(ascii: "\n") { line += 1 }
    place += 1
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if has("/*", at: place), depth == 0 || language == .swift {
        depth += 1
        place += 2
      } else if has("*/", at: place) {
        depth -= 1
        place += 2
      } else {
        step()
      }
    } while depth > 0 && place < bytes.count
  }

  private mutating func add() {
    let start = place, firstLine = line
    let kind = advance()
    let before = start == 0 ? UInt8(ascii: "\n") : bytes[start - 1]
    var token = Token(
      kind: kind, text: String(decoding: bytes[start..<place], as: UTF8.self), range: start..<place,
      line: firstLine, hasSpaceBefore: before <= UInt8(ascii: " "), isFirstInLine: isFirstInLine)
    token.hasSpaceAfter = at(place) <= UInt8(ascii: " ")
    tokens.append(token)
    isFirstInLine = false
  }

  /// Goes over one token.
  private mutating func advance() -> Token.Kind {
    let byte = bytes[place]
    if language == .c, byte == UInt8(ascii: "#"), isFirstInLine {
      while place < bytes.count, bytes[place] != UInt8(ascii: "\n") || bytes[place - 1] == UInt8(ascii: "\\")
      { step() }
      return .directive
    }
    if isText() {
      skipText()
      return .text
    }
    if Self.isWord(byte) || byte == UInt8(ascii: "`") {
      place += 1
      while Self.isWord(at(place)) || Self.isDigit(at(place)) || at(place) == UInt8(ascii: "`") { place += 1 }
      return .word
    }
    if Self.isDigit(byte) {
      skipNumber()
      return .number
    }
    place += 1
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return .opening
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return .closing
    default: break
    }
    place -= 1
    skipSign()
    return .sign
  }

  private mutating func skipNumber() {
    let isHexadecimal = has("0x", at: place)
    place += 1
    while true {
      let byte = at(place)
      if Self.isWord(byte) || Self.isDigit(byte) {
        place += 1
      } else if byte == UInt8(ascii: "."), Self.isDigit(at(place + 1)) {
        place += 1
      } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"), !isHexadecimal,
        at(place - 1) | 0x20 == UInt8(ascii: "e")
      {
        place += 1
      } else {
        return
      }
    }
  }

  private mutating func skipSign() {
    let first = bytes[place]
    place += 1
    guard Self.isSign(first) else { return }
    if language == .c {
      for length in [3, 2] where place - 1 + length <= bytes.count {
        let text = String(decoding: bytes[place - 1..<place - 1 + length], as: UTF8.self)
        if Self.signsOfC.contains(text) {
          place += length - 1
          return
        }
      }
      return
    }
    // A question mark or an exclamation mark behind an operand stands for itself, whatever follows.
    let isBehind = place >= 2 && bytes[place - 2] > UInt8(ascii: " ")
    if isBehind, first == UInt8(ascii: "?") || first == UInt8(ascii: "!"), at(place) != UInt8(ascii: "?"),
      at(place) != UInt8(ascii: "=")
    {
      return
    }
    while Self.isSign(at(place)), first == UInt8(ascii: ".") || at(place) != UInt8(ascii: "."),
      !has("//", at: place), !has("/*", at: place)
    { place += 1 }
  }

  private mutating func findPartners() {
    var open: [Int] = []
    for index in tokens.indices {
      if tokens[index].kind == .closing, let partner = open.popLast() {
        tokens[index].partner = partner
        tokens[partner].partner = index
      }
      tokens[index].parent = open.last ?? -1
      if tokens[index].kind == .opening { open.append(index) }
    }
  }

  private static let signsOfC: Set<String> = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=",
    "%=", "&=", "|=", "^=",
  ]

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  private static func isSign(_ byte: UInt8) -> Bool { "/=-+!*%<>&|^~?.".utf8.contains(byte) }
}
