import Foundation
import StreamImages
import TestSupport
import Testing

@Suite("`DirectoryLibrary`")
struct DirectoryLibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("The library creates its directory and one named file per photo")
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

  @Test("Photos receive their requested names, made safe and unique")
  func names() async throws {
    let library = DirectoryLibrary(directory: folder.url)
    let photo = try Pictures.jpeg()

    var names: [String] = []
    for wish in ["Sunset", "Sunset.jpg", "sunset", "a/b", "../up", ".hidden", "tab\there", "Ünïcode 🌅"] {
      names.append(try await library.add(photo, format: .jpeg, named: wish))
    }

    #expect(
      names == [
        "Sunset.jpg", "Sunset 2.jpg", "sunset.jpg", "a-b.jpg", "-up.jpg", "hidden.jpg", "tab-here.jpg",
        "Ünïcode 🌅.jpg",
      ])
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == Set(names))
  }

  @Test("A photo without a usable name is named by time, and long names are shortened")
  func strangeNames() async throws {
    let library = DirectoryLibrary(directory: folder.url)
    let photo = try Pictures.jpeg()

    let nameless = try await library.add(photo, format: .jpeg, named: " ..")
    let long = try await library.add(photo, format: .jpeg, named: String(repeating: "🌅", count: 500))

    #expect(nameless.wholeMatch(of: /Photograph \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.jpg/) != nil)
    #expect(long == String(repeating: "🌅", count: 50) + ".jpg")
  }

  @Test("Concurrent photos with the same name receive distinct names and complete files")
  func contention() async throws {
    let photo = try Pictures.jpeg()
    let url = folder.url

    let names = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<24 {
        group.addTask { try? await DirectoryLibrary(directory: url).add(photo, format: .jpeg, named: "a") }
      }
      return await group.reduce(into: Set<String>()) { if let name = $1 { $0.insert(name) } }
    }

    #expect(names.count == 24 && names.contains("a.jpg") && names.contains("a 24.jpg"))
    for name in names { #expect(try Data(contentsOf: url.appending(path: name)) == photo) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).count == 24)
  }

  @Test("A library lists its albums and photos")
  func albums() async throws {
    let library = DirectoryLibrary(directory: folder.url)
    let summer = try library.album("summer")
    #expect(try await library.albums() == [])
    #expect(try await summer.photos() == [])
    _ = try folder.file("notes.txt", Data())

    _ = try await summer.add(try Pictures.png(), format: .png, named: "b")
    _ = try await summer.add(try Pictures.png(), format: .png, named: "a")
    _ = try await library.add(try Pictures.png(), format: .png, named: "c")

    #expect(try await library.albums() == ["summer"])
    #expect(try await summer.photos() == ["a.png", "b.png"])
    #expect(try await library.photos() == ["c.png"])
    for name in ["", "..", ".a", "a/b", "a\0b"] {
      #expect(throws: PhotoLibraryError.badAlbumName(name)) { try library.album(name) }
    }
  }

  @Test("Requesting authorization creates the directory")
  func asking() async throws {
    let directory = folder.url.appending(path: "a/b")
    let file = try folder.file("file", Data())

    #expect(await DirectoryLibrary(directory: directory).requestAuthorization())
    #expect(FileManager.default.fileExists(atPath: directory.path))
    #expect(await DirectoryLibrary(directory: file.appending(path: "a")).requestAuthorization() == false)
  }

  @Test("Authorization can be checked without creating the directory")
  func authorization() async throws {
    let file = try folder.file("file", Data())

    #expect(await DirectoryLibrary(directory: folder.url).isAuthorized())
    #expect(await DirectoryLibrary(directory: folder.url.appending(path: "a/b/c")).isAuthorized())
    #expect(await DirectoryLibrary(directory: file.appending(path: "a")).isAuthorized() == false)
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "a").path))
  }

  @Test("An unusable directory fails with an error and leaves nothing")
  func unwritable() async throws {
    let file = try folder.file("file", Data())

    for directory in [file.appending(path: "a"), URL(fileURLWithPath: "/proc/self/album")] {
      await #expect(throws: PhotoLibraryError.self) {
        try await DirectoryLibrary(directory: directory).add(try Pictures.jpeg(), format: .jpeg)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
  }

  @Test("Names outside the directory have no URL", arguments: ["../a.png", "/etc/passwd", "", ".hidden"])
  func outside(_ name: String) {
    #expect(DirectoryLibrary(directory: folder.url).url(for: name) == nil)
  }

  @Test(
    "The environment determines the pictures directory",
    arguments: [
      (["XDG_PICTURES_DIR": "/p", "HOME": "/h"], "/p"), (["HOME": "/h"], "/h/Pictures"), ([:], nil),
    ] as [([String: String], String?)])
  func environment(_ row: (environment: [String: String], path: String?)) {
    #expect(UserDirectory(environment: row.environment).pictures == row.path)
  }

  @Test(
    "A read-only directory is reported as not authorized",
    .enabled(if: geteuid() != 0 || canBecomeOthers, "root may write everywhere"))
  func readable() async {
    // In a process of its own, as it gives up being root, who may write everywhere.
    await #expect(processExitsWith: .success) {
      if getuid() == 0 { precondition(setuid(65534) == 0) }
      let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      precondition(mkdir(directory.path, 0o555) == 0)

      let isAuthorized = await DirectoryLibrary(directory: directory).isAuthorized()

      rmdir(directory.path)
      precondition(!isAuthorized)
      _exit(EXIT_SUCCESS)
    }
  }
}
