import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct SchemeLoaderTests {
  @Test("`SchemeLoader` selects the loader by scheme, regardless of case")
  func choosing() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a", Data("file".utf8))
    try await withLoopback { server, network in
      server.serve("/a", .bytes(Data("http".utf8)))
      let loader = SchemeLoader(network: network)
      let upperCased = "HTTP" + server.url("/a").absoluteString.dropFirst(4)

      let urls = [server.url("/a"), URL(string: upperCased)!, file, URL(string: "DATA:,data")!]
      var texts: [String] = []
      for url in urls {
        texts.append(String(decoding: try await loader.data(for: DataRequest(url: url)).body, as: UTF8.self))
      }

      #expect(texts == ["http", "http", "file", "data"])
    }
  }

  private final class Forgetful: DataLoading {
    private let count = Guarded(0)
    var forgotten: Int { count.withLock { $0 } }

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      throw .unsupportedScheme("")
    }
    func forgetAll() async { count.withLock { $0 += 1 } }
  }

  @Test("`SchemeLoader` forwards a removal of everything to all its loaders")
  func forgetting() async {
    let loaders = [Forgetful(), Forgetful(), Forgetful()]

    await SchemeLoader(network: loaders[0], file: loaders[1], data: loaders[2]).forgetAll()

    #expect(loaders.map(\.forgotten) == [1, 1, 1])
  }

  @Test("`SchemeLoader` refuses schemes without a loader")
  func refusing() async throws {
    let loader = SchemeLoader(network: nil, file: nil, data: nil)

    for (text, scheme) in [("file:///a", "file"), ("data:,x", "data"), ("http://a/", "http"), ("x", "")] {
      let url = try #require(URL(string: text))
      let error = await failure { () throws(DataLoadingError) in try await loader.load(DataRequest(url: url))
      }
      #expect(error == .unsupportedScheme(scheme))
    }
  }
}
