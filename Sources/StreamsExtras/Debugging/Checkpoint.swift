/// A failure together with the checkpoints that it passed, the one closest to its origin first.
public struct TracedFailure<Base: Error>: Error {
  /// The failure.
  public let base: Base
  /// The checkpoints that the failure passed, in order.
  public let checkpoints: [Checkpoint]

  /// Creates a failure that has passed `checkpoints`.
  public init(_ base: Base, checkpoints: [Checkpoint]) {
    self.base = base
    self.checkpoints = checkpoints
  }
}

extension TracedFailure: CustomStringConvertible {
  /// A text such as `timedOut, by "download" at App/Images.swift:12, by "gallery" at App/Gallery.swift:40`.
  public var description: String {
    checkpoints.reduce("\(base)") { $0 + ", by \($1)" }
  }
}

extension TracedFailure: Equatable where Base: Equatable {}
extension TracedFailure: Hashable where Base: Hashable {}

/// A named place in a chain. See `checkpoint(_:fileID:line:)`.
public struct Checkpoint: Hashable, Sendable, CustomStringConvertible {
  /// The name. Can be empty.
  public let name: String
  /// The place in the source code.
  public let place: CallSite

  /// Creates a checkpoint with a name and a place.
  public init(_ name: String, at place: CallSite) {
    self.name = name
    self.place = place
  }

  public var description: String { name.isEmpty ? "\(place)" : "\"\(name)\" at \(place)" }
}

extension Publisher {
  /// Adds this place to a failure, so that its description shows the way it took.
  ///
  /// ```swift
  /// download(url).checkpoint("download").retry(2).checkpoint("retry").assertNoFailure()
  /// ```
  ///
  /// The failure is wrapped in a ``TracedFailure``. Later checkpoints append to its list, as long as it is the type of the
  /// failure. A log, or a trap of `assertNoFailure(_:file:line:)`, prints the list. The chain above is named as with
  /// ``named(_:fileID:line:)``. <doc:/Guides/debugging> compares this with other tools.
  @_disfavoredOverload
  public func checkpoint(
    _ name: String = "", fileID: String = #fileID, line: Int = #line
  ) -> MorePublishers.Named<Publishers.MapError<Self, TracedFailure<Failure>>> {
    let checkpoint = Checkpoint(name, at: CallSite(fileID: fileID, line: line))
    return mapError { TracedFailure($0, checkpoints: [checkpoint]) }
      .named(name, fileID: fileID, line: line)
  }

  /// Adds this place to a failure that is a ``TracedFailure`` already.
  public func checkpoint<Base: Error>(
    _ name: String = "", fileID: String = #fileID, line: Int = #line
  ) -> MorePublishers.Named<Publishers.MapError<Self, TracedFailure<Base>>>
  where Failure == TracedFailure<Base> {
    let checkpoint = Checkpoint(name, at: CallSite(fileID: fileID, line: line))
    return mapError { TracedFailure($0.base, checkpoints: $0.checkpoints + [checkpoint]) }
      .named(name, fileID: fileID, line: line)
  }
}
