import Foundation
import StreamImages
import Testing

@Suite("`ImagePipeline.Error`")
struct ErrorTests {
  private struct Cause: Error, CustomStringConvertible { var description: String { "the cause" } }

  static let all: [(ImagePipeline.Error, String)] = [
    (.dataMissingInCache, "cached"), (.dataLoadingFailed(.headTooLarge), "head"),
    (.imageRequestMissing, "no request"), (.requestRefused(Cause()), "the cause"),
    (.sourceFailed(Cause()), "the cause"), (.dataIsEmpty, "empty"),
    (.integrityMismatch(expected: Integrity(of: Data()), received: Integrity(of: Data([1]))), "e3b0c44298fc"),
    (.dataDownloadExceededMaximumSize(limit: 17), "17"),
    (.notAnImage(ContentHint(sniffing: Data("<html>".utf8))), "not an image"),
    (.imageTooLarge(width: 123, height: 456), "123 x 456"), (.decoderNotRegistered(.jpegXL), "jpegXL"),
    (.decoderNotRegistered(nil), "decoder"), (.decodingFailed(Cause()), "the cause"),
    (.processingFailed(processor: "blur", Cause()), "blur"), (.pipelineInvalidated, "invalidated"),
    (.cancelled, "cancelled"),
  ]

  @Test("Each error has its own description of what happened", arguments: all.indices)
  func descriptions(index: Int) {
    let (error, word) = Self.all[index]

    #expect("\(error)".contains(word))
    #expect("\(error)".hasSuffix(".") || "\(error)".contains("the cause"))
    #expect(Self.all.filter { "\($0.0)" == "\(error)" }.count == 1)
  }

  @Test("An error returns its loading error, and whether it is transient or a cancellation")
  func kinds() {
    #expect(ImagePipeline.Error.dataLoadingFailed(.headTooLarge).dataLoadingError == .headTooLarge)
    #expect(ImagePipeline.Error.dataIsEmpty.dataLoadingError == nil)
    #expect(Self.all.filter { $0.0.isCancellation }.count == 1)
    #expect(ImagePipeline.Error.dataLoadingFailed(.timedOut(.idle)).isTransient)
    #expect(Self.all.allSatisfy { !$0.0.isTransient })
  }
}
