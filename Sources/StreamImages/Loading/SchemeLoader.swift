import Foundation

/// Chooses a loader by the scheme of the URL.
///
/// Programs that load URLs they did not write themselves may want to leave out files:
///
/// ```swift
/// let loader = SchemeLoader(file: nil)
/// ```
public struct SchemeLoader: DataLoading {
  private let network: (any DataLoading)?
  private let file: (any DataLoading)?
  private let data: (any DataLoading)?

  /// A loader of these three. `nil` refuses what it stands for.
  ///
  /// - Parameters:
  ///   - network: For all other schemes. `nil`, here as below, refuses with
  ///     ``DataLoadingError/unsupportedScheme(_:)``.
  ///   - file: For `file:`.
  ///   - data: For `data:`.
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
    let loader =
      switch scheme {
      case "file": file
      case "data": data
      default: network
      }
    guard let loader else { throw .unsupportedScheme(scheme) }
    return try await loader.load(request, limits: limits)
  }
}
