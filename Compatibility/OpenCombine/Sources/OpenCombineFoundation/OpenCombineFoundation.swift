public import Foundation
@_exported public import OpenCombine
@_exported public import StreamsFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension NotificationCenter {
  /// The center itself, whose notifications can be published.
  public typealias OCombine = NotificationCenter

  public var ocombine: NotificationCenter { self }
}

extension OperationQueue {
  /// The queue itself, which is a scheduler.
  public typealias OCombine = OperationQueue

  public var ocombine: OperationQueue { self }
}

extension RunLoop {
  /// The run loop itself, which is a scheduler.
  public typealias OCombine = RunLoop

  public var ocombine: RunLoop { self }
}

extension Timer {
  /// The class itself, which publishes times.
  public typealias OCombine = Timer
}

extension URLSession {
  /// The session itself, whose data tasks can be published.
  public typealias OCombine = URLSession

  public var ocombine: URLSession { self }
}
