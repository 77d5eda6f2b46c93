/// A place in the source code.
public struct CallSite: Hashable, Sendable, CustomStringConvertible {
  /// The module and the file.
  public let fileID: String
  /// The line, counted from one.
  public let line: Int

  /// Creates the place at `line` of `fileID`.
  public init(fileID: String, line: Int) {
    self.fileID = fileID
    self.line = line
  }

  /// `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
