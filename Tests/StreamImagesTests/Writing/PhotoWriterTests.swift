import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`PhotoWriter`", .timeLimit(.minutes(20)))
struct PhotoWriterTests {
  @Test("A photo is saved once, and all subscribers receive the same name")
  func saving() async throws {
    let folder = try TemporaryFolder()
    let library = DirectoryLibrary(directory: folder.url)
    let picture = try Pictures.gradient(16, 8)

    let saved = PhotoWriter.save(picture, to: library, as: .png)
    let first = await saved.record().received(1)
    let second = await saved.record().received(1)

    #expect(first == second)
    let name = try #require(first.first)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [name])
    let bytes = try Data(contentsOf: folder.url.appending(path: name))
    #expect(try ImageDecoder.decode(Array(bytes)) == picture)
  }

  @Test("A refused photo fails with the error of its library")
  func failure() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", Data())
    let picture = try Pictures.gradient(4, 4)

    let recorder = PhotoWriter.save(picture, to: DirectoryLibrary(directory: file.appending(path: "a")))
      .record()

    guard case .failure(.generic(PhotoLibraryError.notAuthorized))? = await recorder.ended() else {
      return unexpected(recorder.events)
    }
    #expect(recorder.values.isEmpty)
  }

  @Test("Saving fails if the library returns no name")
  func nameless() async throws {
    let library = ScriptedLibrary(.success(""))

    let recorder = PhotoWriter.save(try Pictures.gradient(4, 4), to: library).record()

    guard case .failure(.couldNotSavePhoto)? = await recorder.ended() else {
      return unexpected(recorder.events)
    }
    #expect(library.formats == [.jpeg])
  }

  @Test("The authorization publisher sends the result of the library", arguments: [true, false])
  func authorization(_ isAuthorized: Bool) async {
    let library = ScriptedLibrary(isAuthorized ? .success("a") : .failure(.diskFull))

    let recorder = PhotoWriter.isAuthorized(in: library).record()

    #expect(await recorder.ended() == .finished)
    #expect(recorder.values == [isAuthorized])
  }

  @Test("The writer passes the requested name, if any, to the library, and returns the library's")
  func naming() async throws {
    let library = ScriptedLibrary(.success("a"))
    let picture = try Pictures.gradient(4, 4)

    let named = await PhotoWriter.save(picture, to: library, named: "Sunset").record().received(1)
    let nameless = await PhotoWriter.save(picture, to: library).record().received(1)

    #expect(library.names == ["Sunset", nil])
    #expect([named, nameless] == [["a"], ["a"]])
  }

  /// Counts how often authorization is requested.
  private struct AskedLibrary: PhotoLibrary {
    let library: DirectoryLibrary
    let requests = Shared(0)

    func isAuthorized() async -> Bool { await library.isAuthorized() }

    func requestAuthorization() async -> Bool {
      requests.change { $0 += 1 }
      return await library.requestAuthorization()
    }

    func add(
      _ photo: Data, format: ImageFormat, named name: String?
    ) async throws(PhotoLibraryError) -> String {
      try await library.add(photo, format: format, named: name)
    }
  }

  @Test(
    "Authorization is requested once, without a subscriber, and all subscribers receive the result",
    arguments: [true, false])
  func requesting(_ isAuthorized: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", Data())
    let directory = isAuthorized ? folder.url.appending(path: "album") : file.appending(path: "album")

    let library = AskedLibrary(library: DirectoryLibrary(directory: directory))
    let future = PhotoWriter.requestAuthorization(in: library)
    await until { library.requests.value > 0 }
    let answers = [await future.record().received(1), await future.record().received(1)]

    #expect(answers == [[isAuthorized], [isAuthorized]])
    #expect(library.requests.value == 1)
    #expect(FileManager.default.fileExists(atPath: directory.path) == isAuthorized)
  }
}
