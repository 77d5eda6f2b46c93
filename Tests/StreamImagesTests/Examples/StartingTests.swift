import Foundation
import StreamImages
import Testing

/// The code of the guides to the first steps, and to what is refused.
@Suite("Getting started guides")
struct StartingTests {
  @Test("The server example refuses files and private addresses", .timeLimit(.minutes(20)))
  func strangers() async throws {
    var configuration = ImagePipeline.Configuration()
    configuration.decodingLimits.maximumPixels = 12_000_000
    configuration.loadLimits.maximumByteCount = 8 << 20
    configuration.decodingByteBudget = 128 << 20

    let network = CurlLoader(.server)
    configuration.dataLoader = SchemeLoader(network: network, file: nil, data: nil)

    var allowed = CurlLoader.Configuration()
    allowed.addressPolicy = AddressPolicy { address in address.isPublic }

    for url in ["file:///etc/hostname", "http://127.0.0.1:9/", "http://[::ffff:10.0.0.1]/"] {
      let request = DataRequest(url: try #require(URL(string: url)))
      await #expect(throws: DataLoadingError.self) {
        try await configuration.dataLoader.load(request, limits: configuration.loadLimits)
      }
    }
    await #expect(throws: DataLoadingError.self) {
      let request = DataRequest(url: try #require(URL(string: "http://127.0.0.1:9/")))
      return try await CurlLoader(allowed).load(request, limits: LoadLimits())
    }
  }
}
