import Dispatch
public import Foundation

/// Loads `file:` URLs: regular files only, in pieces, off the threads of Swift's tasks.
///
/// Directories, pipes and devices are refused without waiting for them. A file that shrinks while it is read
/// is ``DataLoadingError/truncated(received:expected:)``; what is added to it meanwhile is not read.
public final class FileLoader: DataLoading {
  private let roots: [String]?
  private let chunkByteCount: Int
  private let work = BlockingWork(label: "StreamImages.FileLoader", width: 4)

  /// A loader of files.
  ///
  /// - Parameters:
  ///   - roots: Directories that may be read, with all below them; links that lead out of them are refused.
  ///     `nil` allows every file that the process may read.
  ///   - chunkByteCount: How much is read at once.
  public init(roots: [URL]? = nil, chunkByteCount: Int = 256 << 10) {
    self.roots = roots?.map { $0.path(percentEncoded: false) }
    self.chunkByteCount = max(1, chunkByteCount)
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    try request.requireReading()
    let path = try Self.path(of: request.url)
    let lane = work.lane()
    let file = try await BlockingWork.run(on: lane) { [roots] in
      Result { () throws(DataLoadingError) in try OpenFile(path: path, roots: roots) }
    }
    guard file.byteCount <= limits.maximumByteCount else {
      throw .tooLarge(limit: limits.maximumByteCount, announced: file.byteCount)
    }
    let wantsBody = request.method == .get
    let head = LoadedHead(url: request.url, expectedByteCount: wantsBody ? file.byteCount : 0)
    guard wantsBody else { return LoadedData(head: head, body: BufferedChunks(Data())) }
    return LoadedData(head: head, body: FileChunks(of: file, lane: lane, chunkByteCount: chunkByteCount))
  }

  private static func path(of url: URL) throws(DataLoadingError) -> [UInt8] {
    let reference = URIReference(url.absoluteString)
    guard reference.scheme == "file" else { throw .unsupportedScheme(reference.scheme ?? "") }
    guard ["", "localhost"].contains(reference.authority ?? ""),
      reference.path.utf8.first == UInt8(ascii: "/"),
      let path = PercentDecoding.decode(reference.path.utf8), !path.contains(0)
    else { throw .badURL(Redaction.text(of: url)) }
    return path
  }
}
