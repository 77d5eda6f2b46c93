public import Dispatch
@_exported public import OpenCombine
@_exported public import StreamsFoundation

extension DispatchQueue {
  /// The queue itself, which is a scheduler.
  public typealias OCombine = DispatchQueue

  public var ocombine: DispatchQueue { self }
}
