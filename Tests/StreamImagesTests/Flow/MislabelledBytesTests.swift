import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Mislabelled bytes", .inRealTime)
struct MislabelledBytesTests {
  private func error(
    _ reply: Reply, of loader: (CurlLoader) -> any DataLoading = { $0 }
  ) async throws -> ImagePipeline.Error? {
    var result: ImagePipeline.Error?
    try await withWorkshop { workshop in
      workshop.server.serve("/a", reply)
      let pipeline = workshop.pipeline { $0.dataLoader = loader(workshop.loader) }
      result = await imageFailure { () throws(ImagePipeline.Error) in
        try await pipeline.image(for: ImageRequest(url: workshop.server.url("/a")))
      }
    }
    return result
  }

  @Test(
    "The error names a content coding that was not requested",
    arguments: ["gzip", "br", "x-own"])
  func coding(_ name: String) async throws {
    let body = name == "gzip" ? try Gzip.packed(Pictures.png()) : Data([0x0B, 0x02, 0x80, 0x61, 0x03])

    let error = try await error(.bytes(body).with { $0.headers.append(("Content-Encoding", name)) })

    #expect(error?.description.contains("\"\(name)\"") == true, "\(String(describing: error))")
    #expect(error?.dataLoadingError?.isTransient == false)
  }

  @Test("An image with a wrong Content-Encoding is decoded, or fails for its own reason")
  func label() async throws {
    let bytes = try Pictures.png()

    let shown = try await error(.bytes(bytes).with { $0.headers.append(("Content-Encoding", "gzip")) })
    let cut = try await error(
      .bytes(bytes.prefix(bytes.count / 2)).with { $0.headers.append(("Content-Encoding", "gzip")) })

    #expect(shown == nil)
    #expect(cut?.code == "codec.truncated")
  }

  @Test("A body longer than announced fails with the announced length")
  func more() async throws {
    let bytes = try Pictures.png()
    var head = LoadedHead(url: URL(string: "https://photos.example/a")!)
    head.expectedByteCount = bytes.count - 100

    let error = try await error(.bytes(bytes)) { [head] _ in ScriptedLoader(head: head, chunks: [bytes]) }

    #expect(
      error?.dataLoadingError?.description
        == "The body is longer than the \(bytes.count - 100) bytes that were announced")
  }
}
