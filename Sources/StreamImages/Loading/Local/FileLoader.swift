import Dispatch
public import Foundation

/// Loads `file:` URLs. Only regular files are read, in chunks, on threads of its own.
///
/// Directories, pipes and devices are refused without blocking. A file that shrinks while it is read fails with
/// ``DataLoadingError/truncated(received:expected:)``. Bytes appended meanwhile are not read.
public final class FileLoader: DataLoading {
  private let roots: [String]?
  private let chunkByteCount: Int
  private let work = BlockingWork(label: "StreamImages.FileLoader", width: 4)

  /// Creates a loader of files.
  ///
  /// - Parameters:
  ///   - roots: The directories that may be read, including subdirectories. Links that lead out of them are refused,
  ///     even if they replace a directory while the file is opened. Hard links are files like all others. `nil` allows
  ///     every file that the process may read.
  ///   - chunkByteCount: The size of a chunk.
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
    var head = LoadedHead(url: request.url, expectedByteCount: wantsBody ? file.byteCount : 0)
    head.fileVersion = file.version
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
