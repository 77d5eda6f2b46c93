import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Server configuration", .inRealTime)
struct ServerConfigurationTests {
  private func error(_ text: String, _ hosts: HostPolicy = .any) async throws -> ImagePipeline.Error? {
    let pipeline = ImagePipeline(.server(allowing: hosts))
    let request = ImageRequest(url: URL(string: text))
    return await imageFailure { () throws(ImagePipeline.Error) in try await pipeline.image(for: request) }
  }

  @Test("The server configuration loads neither files nor data URLs")
  func local() async throws {
    let folder = try TemporaryFolder()
    let bytes = try Pictures.png()
    let file = try folder.file("a.png", bytes)

    let ofFile = try await error(file.absoluteString)
    let ofData = try await error("data:image/png;base64,\(bytes.base64EncodedString())")

    #expect(ofFile?.dataLoadingError == .unsupportedScheme("file"))
    #expect(ofData?.dataLoadingError == .unsupportedScheme("data"))
  }

  @Test(
    "The server configuration connects to public addresses only",
    arguments: ["127.0.0.1", "localhost", "2130706433", "[::1]"])
  func addresses(host: String) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("*", .bytes(try Pictures.png()))

    let error = try await error("http://\(host):\(server.port)/a.png")

    guard case .addressRefused? = error?.dataLoadingError else { return unexpected(error) }
    #expect(server.connectionCount == 0)
  }

  @Test("The server configuration loads only from allowed hosts")
  func hosts() async throws {
    let error = try await error("https://other.example/a.png", ["images.example.com", "*.cdn.example.com"])

    #expect(error?.dataLoadingError == .hostRefused(host: "other.example"))
    #expect(error?.code == "loading.host-refused")
  }

  @Test("The server configuration and an address policy ignore a proxy from the environment")
  func proxy() async {
    // In a process of its own, as the environment is shared.
    await #expect(processExitsWith: .success) {
      let proxy = try LoopbackServer()
      proxy.serve("*", .bytes(Data([1])))
      setenv("http_proxy", proxy.url("").absoluteString, 1)
      unsetenv("no_proxy")
      unsetenv("NO_PROXY")
      let request = ImageRequest(url: URL(string: "http://no-such-host.invalid/a.png"))

      _ = try? await ImagePipeline(.server(allowing: ["*.invalid"])).image(for: request)
      precondition(proxy.connectionCount == 0)
      _ = try? await CurlLoader(CurlLoader.Configuration()).data(for: DataRequest(url: request.url!))
      precondition(proxy.connectionCount == 1)
      // A proxy would connect to addresses that the policy does not see.
      var configuration = CurlLoader.Configuration()
      configuration.addressPolicy = AddressPolicy { _ in true }
      _ = try? await CurlLoader(configuration).data(for: DataRequest(url: request.url!))
      precondition(proxy.connectionCount == 1)
      // At once: what its jobs still hold, on their way out, would be taken for a leak.
      _exit(EXIT_SUCCESS)
    }
  }

  @Test("The server configuration has the documented limits, and shares no cache or decoder registry")
  func parts() {
    let server = ImagePipeline.Configuration.server(allowing: .any)
    let (load, decoding) = (server.loadLimits, server.decodingLimits)

    #expect(load.maximumByteCount == 16 << 20 && load.maximumHeadByteCount == 32 << 10)
    #expect(load.maximumRedirectCount == 3 && load.connectTimeout == .seconds(5))
    #expect(load.firstByteTimeout == .seconds(10) && load.idleTimeout == .seconds(10))
    #expect(load.totalTimeout == .seconds(30))
    #expect(decoding.maximumEncodedBytes == 16 << 20 && decoding.maximumPixels == 25_000_000)
    #expect(decoding.maximumDecodedBytes == 128 << 20 && decoding.maximumWorkingBytes == 192 << 20)
    #expect(decoding.maximumFrames == 200 && decoding.deadline == .seconds(5))
    #expect(server.decodingByteBudget == min(ImagePipeline.Configuration().decodingByteBudget, 256 << 20))
    #expect(server.loadingWidth == 64 && server.loadingWidthPerHost == 16)
    #expect(server.loadedByteBudget == 16 << 20 && server.storingByteBudget == 16 << 20)
    #expect(server.recentByteLimit == 8 << 20)
    // Otherwise what the pipeline lets load waits in the loader.
    #expect(CurlLoader.Configuration.server.maximumConnectionsPerHost == server.loadingWidthPerHost)
    #expect(server.dataCache == nil)
    #expect(server.imageCache is ImageCache && server.imageCache as? ImageCache !== ImageCache.shared)
    #expect(server.decoderRegistry !== ImageDecoderRegistry.shared)
    #if os(Linux)
      #expect(server.decodingIsolation == .process())
    #endif
  }

  @Test("The server configuration is stricter than the default one, which has the documented values")
  func defaults() {
    let (server, usual) = (ImagePipeline.Configuration.server(allowing: .any), ImagePipeline.Configuration())

    #expect(usual.isCoalescingEnabled && !usual.isProgressiveDecodingEnabled && usual.rateLimit == nil)
    #expect(usual.loadingWidth == 128 && usual.loadingWidthPerHost == nil && usual.encodingWidth == 1)
    #expect(usual.decodingWidth == ProcessInfo.processInfo.activeProcessorCount)
    // A quarter of the memory, or of the part of it that this process may use.
    #expect((1...ProcessInfo.processInfo.physicalMemory / 4).contains(UInt64(usual.decodingByteBudget)))
    #expect(usual.loadedByteBudget == 64 << 20 && usual.storingByteBudget == 64 << 20)
    #expect(usual.recentByteLimit == 32 << 20 && usual.decodingIsolation == .default)
    #expect(usual.dataCachePolicy == .automatic && usual.imageCache as? ImageCache === ImageCache.shared)
    #expect(server.loadLimits.maximumByteCount < usual.loadLimits.maximumByteCount)
    #expect(server.loadLimits.totalTimeout < usual.loadLimits.totalTimeout)
    #expect(server.decodingLimits.maximumPixels < usual.decodingLimits.maximumPixels)
    #expect(server.decodingLimits.deadline < usual.decodingLimits.deadline)
  }

  @Test("The server configurations of the guide refuse hosts that they do not name")
  func guide() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "thumbnails")
    let url = try #require(URL(string: "https://other.example/a.png"))

    let pipeline = ImagePipeline(.server(allowing: ["images.example.com", "*.cdn.example.com"]))
    #expect(pipeline.configuration.dataCache == nil)
    let error = await pipeline.imageTask(with: url).failure()
    #expect(error?.dataLoadingError == .hostRefused(host: "other.example"))

    var configuration = ImagePipeline.Configuration.server(allowing: ["*.example.com"])
    configuration.dataCache = DataCache(directory: directory)
    configuration.decodingLimits.maximumPixels = 12_000_000
    let other = await ImagePipeline(configuration).imageTask(with: url).failure()
    #expect(other?.dataLoadingError == .hostRefused(host: "other.example"))

    var network = CurlLoader.Configuration.server
    network.hostPolicy = ["images.example.com", "*.cdn.example.com"]
    let loader = CurlLoader(network)
    let refused = await failure { () throws(DataLoadingError) in
      try await loader.data(for: DataRequest(url: url))
    }
    #expect(refused == .hostRefused(host: "other.example"))
    loader.invalidate()
  }
}
