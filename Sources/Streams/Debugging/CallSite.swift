/// A place in a program: where a checkpoint is, or who asked to see what happens.
public struct CallSite: Hashable, Sendable, CustomStringConvertible {
  /// Module and file.
  public let fileID: String
  /// Counted from one.
  public let line: Int

  /// The place at `fileID`, `line`.
  public init(fileID: String, line: Int) {
    self.fileID = fileID
    self.line = line
  }

  /// `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
