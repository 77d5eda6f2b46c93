import StreamImages
import Testing
import ThumbnailServer

@Suite("Refusals")
struct RefusalTests {
  @Test(
    "A server that cannot decode says that the fault is its own",
    arguments: [
      (ImageCodecError.outOfMemory, 500), (.missingLibrary("libheif"), 500), (.truncated, 422),
      (.decoderCrashed(signal: 11), 422),
    ])
  func status(error: ImageCodecError, status: Int) {
    #expect(Refusal(ImagePipeline.Error.decodingFailed(error)).status == status)
  }
}
