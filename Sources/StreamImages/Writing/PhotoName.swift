internal import Foundation

/// What the file of a photograph is called.
struct PhotoName {
  private let stem: String
  private let fileExtension: String

  /// - Parameter wish: What somebody would like it to be called, with or without the extension.
  init(_ wish: String, fileExtension: String) {
    self.fileExtension = fileExtension
    let suffix = "." + fileExtension
    let bare = wish.lowercased().hasSuffix(suffix) ? String(wish.dropLast(suffix.count)) : wish
    let safe = String(bare.map { $0 == "/" || $0.isNewline || Self.isControl($0) ? "-" : $0 })
    let trimmed = safe.drop { $0 == "." || $0 == " " }
    // With a number and an extension it has to stay below 255 bytes.
    stem = String(trimmed.prefix(bytes: 200)).trimmingCharacters(in: .whitespaces)
  }

  /// Whether anything is left of the wish.
  var isReadable: Bool { !stem.isEmpty }

  var unique: String { "\(UUID().uuidString).\(fileExtension)" }

  /// The first has no number.
  func numbered(_ number: Int) -> String {
    number == 1 ? "\(stem).\(fileExtension)" : "\(stem) \(number).\(fileExtension)"
  }

  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

extension Substring {
  /// As many whole characters as fit.
  fileprivate func prefix(bytes limit: Int) -> Substring {
    var count = 0
    return prefix { character in
      count += character.utf8.count
      return count <= limit
    }
  }
}
