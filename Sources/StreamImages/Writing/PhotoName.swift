// The members of system structures belong to one of these modules: the one that the compiler has loaded first.
#if canImport(Glibc)
  internal import Glibc
#endif
#if canImport(CoreFoundation)
  internal import CoreFoundation
#endif
#if canImport(CDispatch)
  internal import CDispatch
#endif
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
    stem = readable.isEmpty ? "Photograph \(Self.text(ofTime: time))" : readable
  }

  /// In UTC, so that names sort by time: "2026-11-22 03.09.12".
  private static func text(ofTime seconds: Int) -> String {
    var (seconds, fields) = (time_t(seconds), tm())
    gmtime_r(&seconds, &fields)
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = [fields.tm_mon + 1, fields.tm_mday].map(digits).joined(separator: "-")
    let time = [fields.tm_hour, fields.tm_min, fields.tm_sec].map(digits).joined(separator: ".")
    return "\(1900 + fields.tm_year)-\(day) \(time)"
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
