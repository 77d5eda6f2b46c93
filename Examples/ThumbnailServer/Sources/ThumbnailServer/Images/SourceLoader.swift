internal import Foundation
internal import StreamImages

/// Loads from the sources that the operator has allowed: hosts, buckets of an object store, and one folder.
struct SourceLoader: DataLoading {
  /// `http:` and `https:`.
  let network: any DataLoading
  /// `s3:`.
  let store: (any DataLoading)?
  let buckets: Set<String>
  /// `local:`, relative to the folder.
  let folder: FolderLoader?

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let scheme = request.url.scheme?.lowercased() ?? ""
    switch scheme {
    case "http", "https": return try await network.load(request, limits: limits)
    case "s3":
      guard let store else { throw .unsupportedScheme(scheme) }
      let bucket = request.url.host(percentEncoded: false) ?? ""
      guard buckets.contains(bucket) else { throw .hostRefused(host: bucket) }
      return try await store.load(request, limits: limits)
    case "local":
      guard let folder else { throw .unsupportedScheme(scheme) }
      return try await folder.load(request, limits: limits)
    default: throw .unsupportedScheme(scheme)
    }
  }
}

/// Loads `local:///PATH` from below a folder. Links that lead out of it are refused.
struct FolderLoader: DataLoading {
  private let root: String
  private let files: FileLoader

  init(_ folder: URL) {
    let folder = folder.standardizedFileURL.resolvingSymlinksInPath()
    files = FileLoader(roots: [folder])
    root = URL(filePath: folder.path(percentEncoded: false), directoryHint: .notDirectory).absoluteString
  }

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let path = request.url.path(percentEncoded: true)
    guard request.url.host(percentEncoded: true) ?? "" == "", path.hasPrefix("/"),
      let url = URL(string: root + path)
    else { throw .badURL("\(RedactedURL(request.url))") }
    var request = request
    request.url = url
    return try await files.load(request, limits: limits)
  }
}
