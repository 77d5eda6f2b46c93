import Foundation
import StreamImages
import Testing

@Suite("Redaction")
struct RedactionTests {
  private let secret = "opensesame"

  @Test("The description of a request contains no secrets")
  func request() throws {
    var request = ImageRequest(
      DataRequest(
        url: try #require(URL(string: "https://ali:\(secret)@example.org/a.png?token=\(secret)#\(secret)")),
        headers: ["Authorization": "Bearer \(secret)", "Cookie": secret]),
      processors: [.resize(width: 10)])
    request.thumbnail = .init(maxPixelSize: 20)

    #expect("\(request)".contains("example.org/a.png"))
    #expect("\(request)".contains("resize 10"))
    #expect(!"\(request)".contains(secret))
  }

  @Test(
    "A described response shows scheme, host, port and path of its URL, and nothing else",
    arguments: [
      ("https://a.example:8443/b/c.jpg", "https://a.example:8443/b/c.jpg"),
      ("https://ali:secret@a.example/b", "https://a.example/b"),
      ("https://ali@a.example/b", "https://a.example/b"),
      ("https://a.example/b?token=1", "https://a.example/b?…"),
      ("https://a.example/b?", "https://a.example/b?…"),
      ("https://a.example/b#secret", "https://a.example/b"),
      ("https://a.example/b?token=1#secret", "https://a.example/b?…"),
      ("data:text/plain,secret", "data:…"), ("DATA:,secret", "data:…"),
      ("file:///b/c.jpg", "file:///b/c.jpg"),
      ("datas:b", "datas:b"),
    ])
  func urls(_ url: String, _ shown: String) throws {
    let head = LoadedHead(status: 404, url: try #require(URL(string: url)))

    #expect("\(head)" == "404 from \(shown)")
  }

  @Test("Each error has a distinct, readable description")
  func errors() {
    let errors: [ImagePipeline.Error] = [
      .dataMissingInCache, .dataLoadingFailed(.badURL("x")), .dataIsEmpty,
      .dataDownloadExceededMaximumSize(limit: 1),
      .notAnImage(.html), .imageTooLarge(width: 1, height: 2), .decoderNotRegistered(.gif),
      .decoderNotRegistered(nil),
      .decodingFailed(ImageCodecError.truncated),
      .processingFailed(processor: "p", ImageCodecError.cancelled),
      .pipelineInvalidated, .cancelled,
    ]
    let storing: [DataCacheError] = [
      .noCacheDirectory, .badName("x"), .untrustedDirectory(path: "/x"),
      .entryTooLarge(byteCount: 2, limit: 1),
      .diskFull, .encodingFailed(reason: "x"), .systemError(operation: "open", path: "/x", code: ENOENT),
    ]
    let saving: [PhotoLibraryError] = [
      .notAuthorized(path: "/x", reason: "x"), .noPicturesDirectory, .diskFull,
      .systemError(operation: "open", path: "/x", code: ENOENT),
    ]

    let texts = errors.map(\.description) + storing.map(\.description) + saving.map(\.description)
    #expect(Set(texts).count == texts.count - 2)
    #expect(texts.allSatisfy { $0.count > 10 && !$0.contains("Optional") })
  }
}
