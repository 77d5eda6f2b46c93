import Testing

/// What stores images, or lets requests share them, is a row of the attack with two visitors.
@Suite("Image storage types")
struct StoringTests {
  /// The row of each, or `nil` for what passes requests on and stores nothing.
  private static let rows: [String: String?] = [
    "ImageCache": "the memory cache", "EncodedMemoryCache": "the encoded memory cache",
    "DataCache": "the disk cache",
    "LayeredDataCache": "layered caches", "RecentOriginals": "recently loaded bytes",
    "PendingWrites": "entries that wait to be written", "HTTPCache": "the HTTP cache",
    "ResumableLoader": "interrupted loads that are resumed", "PrefetchSchedule": "prefetching",
    "ImagePipeline": "images that are loaded at the same time", "Layer": nil, "PartitionedLoader": nil,
    "DataURLLoader": nil, "FileLoader": nil,
    "CurlLoader": nil, "SchemeLoader": nil,
  ]

  @Test("Each type that stores or shares images is in the partition table")
  func layers() throws {
    let conforming = #/(?:class|struct) (\w+)[^{]*: [^{]*\b(?:DataCaching|ImageCaching|DataLoading)\b/#
    let declaring = #/(?:class|struct) (\w+)/#
    let keyed =
      #/(?:ClockCache|JobTable)<\w+, |\[(?:Key|ImageCacheKey|EncodingJobKey|ResourceKey): Entry\]/#
    var found: Set<String> = []
    for file in Repository.sources where file.path.isIn("Sources/StreamImages") {
      var type = ""
      for line in file.lines {
        if let name = line.firstMatch(of: declaring), !line.hasPrefix(" ") { type = String(name.output.1) }
        if let name = line.firstMatch(of: conforming) { found.insert(String(name.output.1)) }
        if line.contains(keyed), !["ClockCache", "ClockRing", "JobTable"].contains(type) {
          found.insert(type)
        }
      }
    }
    let table = Repository.swift.first { $0.path.hasSuffix("Attacks/Partitions/PartitionLayer.swift") }
    let text = try #require(table).lines.joined(separator: "\n")

    #expect(found.sorted() == Self.rows.keys.sorted())
    for name in Self.rows.values.compactMap(\.self) { #expect(text.contains("PartitionLayer(\"\(name)\"")) }
  }
}
