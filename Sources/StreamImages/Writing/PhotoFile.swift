internal import Foundation

/// Writes photos as files: each appears whole or not at all, and never replaces another one.
enum PhotoFile {
  /// Written under another name first, so that only complete files are visible.
  static func put(
    _ photo: Data, _ name: PhotoName, in directory: borrowing FileDescriptor
  ) throws(SystemError) -> String {
    let draft = ".\(UUID().uuidString).tmp"
    let file = try directory.newFile(draft, mode: 0o644)
    do throws(SystemError) {
      try file.writeWhole(Data(), photo)
      try file.synchronize()
      let taken = try publish(draft, name, in: directory)
      try directory.synchronize()
      return taken
    } catch {
      try? directory.remove(draft)
      throw error
    }
  }

  /// - Returns: The first name that was free.
  private static func publish(
    _ draft: String, _ name: PhotoName, in directory: borrowing FileDescriptor
  ) throws(SystemError) -> String {
    var number = 1
    while true {
      let candidate = name.numbered(number)
      do throws(SystemError) {
        try directory.rename(draft, toFree: candidate)
        return candidate
      } catch {
        guard error.isTaken else { throw error }
        number += 1
      }
    }
  }
}
