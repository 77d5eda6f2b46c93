import Foundation
import StreamImages
import Studio

extension Recipe {
  static let save = Recipe("save", "saved once, and the name of it; or why not") { kitchen in
    let folder = FileManager.default.temporaryDirectory.appending(path: "Recipes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let painting = try Painting(1).image()

    // A future works at once, once, and tells all who ask, also later.
    let saved = PhotoWriter.save(painting, to: DirectoryLibrary(directory: folder), named: "Sunset")
    for who in ["the album", "the log"] {
      try await saved.run { name in kitchen.say("\(who): saved as \(name)") }
    }

    do {
      let nowhere = DirectoryLibrary(directory: URL(fileURLWithPath: "/dev/null/Pictures"))
      try await PhotoWriter.save(painting, to: nowhere).run { _ in }
    } catch {
      kitchen.say("nowhere: \(error)")
    }
  }
}
