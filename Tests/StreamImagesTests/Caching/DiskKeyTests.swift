import Foundation
import StreamImages
import Testing

@Suite("Disk keys")
struct DiskKeyTests {
  private func keys(_ url: String, _ processors: [any ImageProcessing] = [], size: Double? = nil) -> Set<
    String
  > {
    var request = ImageRequest(url: URL(string: url), processors: processors)
    request.thumbnail = size.map { .init(maxPixelSize: $0) }
    return Set(
      [DataCacheKey.original(request)?.name, DataCacheKey.variant(request)?.name].compactMap(\.self))
  }

  @Test("Images of different URLs and variants never share a file name")
  func apart() {
    let resize: any ImageProcessing = ImageProcessors.Resize(width: 10)
    let all = [
      keys("https://a/b"), keys("https://a/b", [resize]), keys("https://a/b", [resize, resize]),
      keys("https://a/b", size: 10), keys("https://a/b\(resize.identifier.filter { !" \"".contains($0) })"),
      keys("https://a/bthumbnail"),
    ]

    // The original of the first four is one.
    #expect(all.reduce(0) { $0 + $1.count } == 12)
    #expect(all.reduce(into: Set()) { $0.formUnion($1) }.count == 9)
  }

  @Test(
    "File names are 64 hexadecimal digits for any key", arguments: ["", "..", "/etc/passwd", "a\0b", "ü"])
  func names(_ key: String) {
    let name = DataCacheKey(key).name

    #expect(name.utf8.count == 64)
    #expect(name.allSatisfy { "0123456789abcdef".contains($0) })
  }
}
