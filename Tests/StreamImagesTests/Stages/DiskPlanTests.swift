import Foundation
import StreamImages
import Testing

@Suite("`DiskPlan`")
struct DiskPlanTests {
  /// What is done to a picture, as columns of the table of policies.
  private static func requests(_ url: String, _ options: ImageRequest.Options = []) -> [ImageRequest] {
    let plain = ImageRequest(url: URL(string: url), options: options)
    var processed = plain
    processed.processors = [.resize(width: 10)]
    var thumbnail = plain
    thumbnail.thumbnail = .init(maxPixelSize: 10)
    var both = processed
    both.thumbnail = thumbnail.thumbnail
    return [plain, processed, thumbnail, both]
  }

  /// "o" for the original, "v" for the variant.
  private static func stored(
    _ requests: [ImageRequest], _ policy: ImagePipeline.DataCachePolicy, isFresh: Bool = true,
    hit: CacheSource? = nil
  ) -> [String] {
    requests.map { request in
      let plan = DiskPlan(request, policy, isFresh: isFresh, hit: hit)
      return (plan.storesOriginal ? "o" : "") + (plan.storesVariant ? "v" : "")
    }
  }

  @Test(
    "The disk plan stores originals and variants according to the policy",
    arguments: [
      (.storeOriginalData, ["o", "o", "o", "o"]),
      (.automatic, ["o", "v", "ov", "v"]),
      (.storeEncodedImages, ["v", "v", "v", "v"]),
      (.storeAll, ["o", "ov", "ov", "ov"]),
    ] as [(ImagePipeline.DataCachePolicy, [String])])
  func policies(_ row: (policy: ImagePipeline.DataCachePolicy, stored: [String])) {
    #expect(Self.stored(Self.requests("https://a/b.png"), row.policy) == row.stored)
  }

  @Test("The disk plan stores no originals of local URLs and no variants of files")
  func local() {
    for policy in ImagePipeline.DataCachePolicy.allCases {
      #expect(Self.stored(Self.requests("file:///a.png"), policy) == ["", "", "", ""])
    }
    let data = Self.requests("data:image/png;base64,AAAA")
    #expect(Self.stored(data, .automatic) == ["", "v", "v", "v"])
    #expect(Self.stored(data, .storeEncodedImages) == ["", "v", "v", "v"])
    #expect(Self.stored(data, .storeOriginalData) == ["", "", "", ""])
  }

  @Test(
    "The disk plan stores nothing if writes are disabled or the image was cached",
    arguments: ImagePipeline.DataCachePolicy.allCases)
  func nothing(_ policy: ImagePipeline.DataCachePolicy) {
    let none = ["", "", "", ""]
    #expect(Self.stored(Self.requests("https://a/b.png", .disableDiskCacheWrites), policy) == none)
    #expect(Self.stored(Self.requests("https://a/b.png"), policy, isFresh: false, hit: .disk) == none)
    #expect(Self.stored(Self.requests("https://a/b.png"), policy, isFresh: false, hit: .memory) == none)
  }

  @Test("The disk plan stores a variant of an original on disk, and not the original again")
  func derived() {
    let stored = Self.stored(Self.requests("https://a/b.png"), .storeAll, isFresh: false)
    #expect(stored == ["", "v", "v", "v"])
  }
}
