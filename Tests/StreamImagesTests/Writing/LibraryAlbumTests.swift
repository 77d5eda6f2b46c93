import Foundation
import StreamImages
import Testing

@Suite("Albums of `DirectoryLibrary`")
struct LibraryAlbumTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("An album of an album is a directory in its directory, and each lists its own")
  func nested() async throws {
    let library = DirectoryLibrary(directory: folder.url.appending(path: "photos"))
    let (summer, winter) = (try library.album("summer"), try library.album("winter"))
    let beach = try summer.album("beach")
    let sand = try beach.album("sand")
    let photo = try Pictures.png(2, 1)

    for album in [library, summer, winter, beach, sand] { #expect(try await album.photos() == []) }
    #expect(try await sand.add(photo, format: .png, named: "a") == "a.png")
    #expect(try await beach.add(photo, format: .png, named: "a") == "a.png")
    #expect(await winter.requestAuthorization())

    let path = folder.url.appending(path: "photos/summer/beach")
    #expect(try Data(contentsOf: path.appending(path: "a.png")) == photo)
    #expect(try Data(contentsOf: path.appending(path: "sand/a.png")) == photo)
    #expect(sand.url(for: "a.png")?.path == path.appending(path: "sand/a.png").path)
    #expect(try await library.albums() == ["summer", "winter"])
    #expect(try await library.photos() == [])
    #expect(try await summer.albums() == ["beach"])
    #expect(try await beach.albums() == ["sand"])
    #expect(try await beach.photos() == ["a.png"])
    #expect(try await sand.photos() == ["a.png"])
  }

  @Test("Hidden files and directories, links and files of other formats are neither photos nor albums")
  func others() async throws {
    let library = DirectoryLibrary(directory: folder.url)
    for name in [".hidden.png", "a.txt", "b", "c.png", ".png"] { _ = try folder.file(name, Data()) }
    for name in [".album", "album", "album.png"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: name), withIntermediateDirectories: false)
    }
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "link.png"), withDestinationURL: folder.url.appending(path: "c.png"))

    #expect(try await library.photos() == ["c.png"])
    #expect(try await library.albums() == ["album", "album.png"])
  }

  @Test("A library whose directory is a file cannot be listed, and one that is missing is empty")
  func unreadable() async throws {
    let file = try folder.file("file", Data())
    let (broken, missing) = (
      DirectoryLibrary(directory: file), DirectoryLibrary(directory: folder.url.appending(path: "a"))
    )

    await #expect(throws: PhotoLibraryError.self) { try await broken.photos() }
    await #expect(throws: PhotoLibraryError.self) { try await broken.albums() }
    #expect(await broken.isAuthorized() == false)
    #expect(await broken.requestAuthorization() == false)
    #expect(try await missing.photos() == [])
    #expect(try await missing.albums() == [])
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "a").path))
  }

  @Test("Without a pictures directory, nothing is authorized, and everything else fails for that reason")
  func homeless() async {
    // In a process of its own, as the environment is shared.
    await #expect(processExitsWith: .success) {
      unsetenv("HOME")
      unsetenv("XDG_PICTURES_DIR")
      let library = DirectoryLibrary.pictures

      let answers = (await library.isAuthorized(), await library.requestAuthorization())
      precondition(!answers.0 && !answers.1 && library.url(for: "a.png") == nil)
      var errors: [PhotoLibraryError] = []
      do throws(PhotoLibraryError) { _ = try await library.add(Data([1]), format: .png) } catch {
        errors.append(error)
      }
      do throws(PhotoLibraryError) { _ = try await library.photos() } catch { errors.append(error) }
      do throws(PhotoLibraryError) { _ = try await library.albums() } catch { errors.append(error) }
      do throws(PhotoLibraryError) { _ = try library.album("a") } catch { errors.append(error) }
      precondition(errors == Array(repeating: .noPicturesDirectory, count: 4))
      _exit(EXIT_SUCCESS)
    }
  }
}
