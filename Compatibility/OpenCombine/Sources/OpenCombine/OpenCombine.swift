@_exported public import Streams

extension Optional {
  /// The optional itself, which has the members of OpenCombine's wrapper.
  public typealias OCombine = Optional

  public var ocombine: Self { self }
}

extension Result {
  /// The result itself, which has the members of OpenCombine's wrapper.
  public typealias OCombine = Result

  public var ocombine: Self { self }
}
