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
