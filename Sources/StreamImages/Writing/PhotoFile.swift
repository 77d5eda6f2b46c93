internal import Foundation

/// How a photograph becomes a file: whole or not at all, and never in the place of another.
enum PhotoFile {
  /// Under another name first: whoever looks at the directory sees whole files only.
  static func put(_ photo: Data, _ name: PhotoName, in path: String) throws(SystemError) -> String {
    let directory = try Descriptor.makeDirectories(path)
    let draft = ".\(UUID().uuidString).tmp"
    let file = try directory.newFile(draft, mode: 0o644)
    do throws(SystemError) {
      try file.write(photo)
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
    _ draft: String, _ name: PhotoName, in directory: borrowing Descriptor
  ) throws(SystemError) -> String {
    var number = 1
    while true {
      let candidate = name.numbered(number)
      do throws(SystemError) {
        // A link fails if there is such a file, whoever made it and when.
        try directory.link(draft, as: candidate)
        try directory.remove(draft)
        return candidate
      } catch {
        guard error.isTaken else { throw error }
        number += 1
      }
    }
  }
}
