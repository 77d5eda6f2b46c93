public import Foundation

/// An answer whose head has arrived and whose body is still to be pulled.
public struct LoadedData: Sendable {
  /// What is known before the body.
  public internal(set) var head: LoadedHead
  /// To be pulled piece by piece, once; letting go of it cancels the load.
  public let body: any DataChunks

  /// An answer of these parts.
  public init(head: LoadedHead, body: any DataChunks) {
    self.head = head
    self.body = body
  }

  /// Pulls the rest of the body into one value.
  ///
  /// - Complexity: Memory is the size of the body. Nothing is reserved on the word of the server.
  public func collect() async throws(DataLoadingError) -> Data {
    guard var whole = try await body.next() else { return Data() }
    while let chunk = try await body.next() { whole.append(chunk) }
    return whole
  }
}

/// The bytes of a body, pulled by one consumer.
///
/// Letting go of the last reference cancels the load.
public protocol DataChunks: AnyObject, Sendable {
  /// Waits for more bytes; `nil` when all were handed out, and ever after.
  ///
  /// Bytes that arrived before a failure are handed out before it is thrown. After a failure, each call
  /// throws it again. Cancelling the task cancels the whole load. Chunks are not empty.
  func next() async throws(DataLoadingError) -> Data?

  /// Stops the load and drops what was not handed out. Does nothing once the body has ended.
  func cancel()
}
