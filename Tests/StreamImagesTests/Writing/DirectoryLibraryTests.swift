import Foundation
import StreamImages
import Testing

@Suite("DirectoryLibrary")
struct DirectoryLibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("makes its directory, and a file for each photograph, and says what it is called")
  func adding() async throws {
    let directory = folder.url.appending(path: "album/summer")
    let library = DirectoryLibrary(directory: directory)
    let photo = try Pictures.jpeg()

    let names = [try await library.add(photo, format: .jpeg), try await library.add(photo, format: .png)]

    #expect(Set(names).count == 2)
    #expect(names[0].hasSuffix(".jpg") || names[0].hasSuffix(".jpeg"))
    #expect(names[1].hasSuffix(".png"))
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: directory.path)) == Set(names))
    for name in names { #expect(try Data(contentsOf: #require(library.url(for: name))) == photo) }
    #expect(Descriptors.count(under: directory.path) == 0)
  }

  @Test("says beforehand whether photographs may be added")
  func authorization() async throws {
    let file = try folder.file("file", Data())

    #expect(await DirectoryLibrary(directory: folder.url).isAuthorized())
    #expect(await DirectoryLibrary(directory: folder.url.appending(path: "a/b/c")).isAuthorized())
    #expect(await DirectoryLibrary(directory: file.appending(path: "a")).isAuthorized() == false)
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "a").path))
  }

  @Test("fails with a reason where it cannot be, and leaves nothing")
  func unwritable() async throws {
    let file = try folder.file("file", Data())

    for directory in [file.appending(path: "a"), URL(fileURLWithPath: "/proc/self/album")] {
      await #expect(throws: PhotoLibraryError.self) {
        try await DirectoryLibrary(directory: directory).add(try Pictures.jpeg(), format: .jpeg)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
  }

  @Test("knows no photographs outside its directory", arguments: ["../a.png", "/etc/passwd", "", ".hidden"])
  func outside(_ name: String) {
    #expect(DirectoryLibrary(directory: folder.url).url(for: name) == nil)
  }

  @Test(
    "is where the environment says",
    arguments: [
      (["XDG_PICTURES_DIR": "/p", "HOME": "/h"], "/p"), (["HOME": "/h"], "/h/Pictures"), ([:], nil),
    ] as [([String: String], String?)])
  func environment(_ row: (environment: [String: String], path: String?)) {
    #expect(UserDirectory(environment: row.environment).pictures == row.path)
  }
}
