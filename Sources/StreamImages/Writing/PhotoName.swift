internal import Foundation

/// The file name of a photo.
package struct PhotoName {
  private let stem: String
  private let fileExtension: String

  /// - Parameters:
  ///   - wish: The preferred name, with or without extension. If it cannot be used, the photo is named by its time.
  ///   - time: In seconds since 1970.
  package init(_ wish: String, fileExtension: String, at time: Int) {
    self.fileExtension = fileExtension
    let suffix = "." + fileExtension
    let bare = wish.lowercased().hasSuffix(suffix) ? String(wish.dropLast(suffix.count)) : wish
    // By code points: a slash with a combining mark is one character, and a slash for the system.
    var safe = String.UnicodeScalarView()
    safe.append(contentsOf: bare.unicodeScalars.lazy.map { Self.isAllowed($0) ? $0 : "-" })
    // All blanks, since a dot may be behind them.
    let trimmed = Substring(safe.drop { $0 == "." || CharacterSet.whitespaces.contains($0) })
    // With a number and an extension it must stay below 255 bytes.
    let readable = String(trimmed.prefix(bytes: 200)).trimmingCharacters(in: .whitespaces)
    // In UTC, so that names sort by time.
    stem = readable.isEmpty ? "Photograph \(HTTPTime.sortable(time))" : readable
  }

  /// The first one has no number.
  package func numbered(_ number: Int) -> String {
    number == 1 ? "\(stem).\(fileExtension)" : "\(stem) \(number).\(fileExtension)"
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "/"
      && ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  /// Whether a name that others chose is the name of one visible file in a directory, compared by bytes.
  package static func isPlain(_ name: String) -> Bool {
    name.utf8.first.map { $0 != UInt8(ascii: ".") } ?? false
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}

extension Substring {
  /// The longest prefix of whole characters that fits.
  fileprivate func prefix(bytes limit: Int) -> Substring {
    var count = 0
    return prefix { character in
      count += character.utf8.count
      return count <= limit
    }
  }
}
