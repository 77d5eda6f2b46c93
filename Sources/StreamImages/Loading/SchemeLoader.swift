import Foundation

/// Selects a loader by the scheme of the URL.
///
/// A program that loads URLs from others should leave out files:
///
/// ```swift
/// let loader = SchemeLoader(file: nil)
/// ```
public struct SchemeLoader: DataLoading {
  private let network: (any DataLoading)?
  private let file: (any DataLoading)?
  private let data: (any DataLoading)?

  /// Creates a loader from up to three loaders. `nil` refuses a scheme with
  /// ``DataLoadingError/unsupportedScheme(_:)``.
  ///
  /// - Parameters:
  ///   - network: Loads all other schemes.
  ///   - file: Loads `file:` URLs.
  ///   - data: Loads `data:` URLs.
  public init(
    network: (any DataLoading)? = CurlLoader.shared, file: (any DataLoading)? = FileLoader(),
    data: (any DataLoading)? = DataURLLoader()
  ) {
    self.network = network
    self.file = file
    self.data = data
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let scheme = request.url.scheme?.lowercased() ?? ""
    guard let loader = loader(for: scheme) else { throw .unsupportedScheme(scheme) }
    return try await loader.load(request, limits: limits)
  }

  public func forget(_ request: DataRequest) async {
    await loader(for: request.url.scheme?.lowercased() ?? "")?.forget(request)
  }

  public func forgetAll() async {
    for loader in [network, file, data] { await loader?.forgetAll() }
  }

  private func loader(for scheme: String) -> (any DataLoading)? {
    switch scheme {
    case "file": file
    case "data": data
    default: network
    }
  }
}
