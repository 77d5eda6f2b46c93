import Foundation
import StreamImages
import StreamsExtras
import Testing

extension Attacks {
  @Suite("Photo and album names", .timeLimit(.minutes(20)))
  struct PhotoNameAttackTests {
    /// A slash, a dot or a line end, and what makes one character with it.
    static let marks = ["\u{301}", "\u{338}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{1F3FB}", "\u{E0101}"]

    private func files(in folder: URL) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix("/") }.sorted()
    }

    @Test(
      "A photo stays in its directory, visible, whatever follows a slash or a dot in its name",
      arguments: marks)
    func photos(_ mark: String) async throws {
      let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
      let library = DirectoryLibrary(directory: folder.url)
      try FileManager.default.createSymbolicLink(
        at: folder.url.appending(path: "out"), withDestinationURL: outside.url)
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "album"), withIntermediateDirectories: false)

      for name in ["out/", "album/", "/", "../", ".", "\n", "\r\n", "none/"].map({ $0 + mark + "x" }) {
        let identifier = try await library.add(Data([1]), format: .jpeg, named: name)

        #expect(!identifier.utf8.contains(UInt8(ascii: "/")) && identifier.utf8.first != UInt8(ascii: "."))
        #expect(identifier.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        let url = try #require(library.url(for: identifier))
        #expect(try Data(contentsOf: url) == Data([1]))
      }
      #expect(try files(in: outside.url) == [])
      #expect(try files(in: folder.url.appending(path: "album")) == [])
    }

    @Test(
      "Photo and album names with a slash, a leading dot or a zero byte are rejected",
      arguments: marks)
    func albums(_ mark: String) throws {
      let library = DirectoryLibrary(directory: URL(filePath: "/nowhere"))

      for name in ["a/", "/", ".", "..", "a\u{0}"].map({ $0 + mark + "x" }) {
        #expect(throws: PhotoLibraryError.badAlbumName(name)) { try library.album(name) }
        #expect(library.url(for: name) == nil, "\(name.debugDescription)")
      }
    }

    @Test("An album that is a link is refused and not listed")
    func link() async throws {
      let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
      let library = DirectoryLibrary(directory: folder.url)
      try FileManager.default.createSymbolicLink(
        at: folder.url.appending(path: "out"), withDestinationURL: outside.url)
      let album = try library.album("out")

      await #expect(throws: PhotoLibraryError.self) {
        try await album.add(Data([1]), format: .jpeg, named: "x")
      }
      await #expect(throws: PhotoLibraryError.self) { try await album.photos() }
      #expect(try await library.albums() == [])
      #expect(try files(in: outside.url) == [])
    }

    @Test("A file whose name is not UTF-8 does not keep the others from being listed")
    func foreignNames() async throws {
      let folder = try TemporaryFolder()
      let library = DirectoryLibrary(directory: folder.url)
      let photo = try await library.add(Data([1]), format: .jpeg, named: "x")
      let name = Array(folder.url.path.utf8CString.dropLast()) + [0x2F, -23, 0x2E, 0x6A, 0x70, 0x67, 0]
      let file = try #require(fopen(name, "w"))
      fclose(file)

      #expect(try await library.photos() == [photo])
    }
  }
}
