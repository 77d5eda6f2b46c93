internal import Foundation

/// What the file of a photograph is called.
struct PhotoName {
  private let stem: String
  private let fileExtension: String

  /// - Parameters:
  ///   - wish: What somebody would like it to be called, with or without the extension. What cannot be a name is called
  ///     by its time.
  ///   - time: In seconds since 1970.
  init(_ wish: String, fileExtension: String, at time: Int = wallClock() / 1_000_000_000) {
    self.fileExtension = fileExtension
    let suffix = "." + fileExtension
    let bare = wish.lowercased().hasSuffix(suffix) ? String(wish.dropLast(suffix.count)) : wish
    let safe = String(bare.map { $0 == "/" || $0.isNewline || Self.isControl($0) ? "-" : $0 })
    let trimmed = safe.drop { $0 == "." || $0 == " " }
    // With a number and an extension it has to stay below 255 bytes.
    let readable = String(trimmed.prefix(bytes: 200)).trimmingCharacters(in: .whitespaces)
    stem = readable.isEmpty ? "Photograph \(Self.text(ofTime: time))" : readable
  }

  /// In UTC, and such that names are in the order of their times: "2026-11-22 03.09.12".
  private static func text(ofTime seconds: Int) -> String {
    var (seconds, fields) = (time_t(seconds), tm())
    gmtime_r(&seconds, &fields)
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = [fields.tm_mon + 1, fields.tm_mday].map(digits).joined(separator: "-")
    let time = [fields.tm_hour, fields.tm_min, fields.tm_sec].map(digits).joined(separator: ".")
    return "\(1900 + fields.tm_year)-\(day) \(time)"
  }

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
