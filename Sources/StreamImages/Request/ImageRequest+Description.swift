extension ImageRequest: CustomStringConvertible {
  /// Without secrets: user, password, query and headers are left out, and so are the values of ``userInfo``.
  public var description: String {
    var parts = ["\(source)"]
    if let imageID { parts.append("id \(imageID)") }
    if let integrity { parts.append("\(integrity)") }
    if scale != 1 { parts.append("scale \(scale)") }
    if let thumbnail { parts.append(thumbnail.identifier) }
    parts += processors.map(\.identifier)
    if let encoding { parts.append("as \(encoding)") }
    if !keptMetadata.isEmpty { parts.append("keeping \(keptMetadata)") }
    parts.append("\(priority)")
    if !options.isEmpty { parts.append("\(options)") }
    if !userInfo.isEmpty {
      parts.append("user info " + userInfo.keys.map(\.name).sorted().joined(separator: " "))
    }
    return parts.joined(separator: ", ")
  }
}

extension ImageRequest.Options: CustomStringConvertible {
  public var description: String {
    let names = Self.names.filter { contains($0.option) }.map(\.name)
    return "[\(names.joined(separator: " "))]"
  }

  private static let names: [(option: Self, name: String)] = [
    (.disableMemoryCacheReads, "disableMemoryCacheReads"),
    (.disableMemoryCacheWrites, "disableMemoryCacheWrites"),
    (.disableDiskCacheReads, "disableDiskCacheReads"), (.disableDiskCacheWrites, "disableDiskCacheWrites"),
    (.returnCacheDataDontLoad, "returnCacheDataDontLoad"), (.skipDataLoadingQueue, "skipDataLoadingQueue"),
    (.waitForStorage, "waitForStorage"),
  ]
}
