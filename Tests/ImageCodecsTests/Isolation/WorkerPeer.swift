import CSandbox
import ImageCodecs

/// A worker without a process, which receives requests as a worker does, and does what the test wants.
final class WorkerPeer {
  private var channel: Int32
  /// The numbers of the last request.
  private(set) var request: [Int64] = []
  /// The memory for pixels, if the request needs it, and that with the file.
  private var memories: (Int32, Int32) = (-1, -1)

  private init(channel: Int32) { self.channel = channel }

  deinit {
    forget()
    close()
  }

  /// Closes its end of the channel, as if it had ended.
  func close() {
    sandbox_close(channel)
    channel = -1
  }

  /// Returns the program's result of a request to decode a file of three bytes.
  ///
  /// - Parameter play: Called while the program waits, with the worker. Returns whether the program cancels the request.
  static func decoding(
    _ options: DecodingOptions, _ play: (WorkerPeer) -> Bool
  ) -> Result<Image?, ImageCodecError> {
    var ends: (Int32, Int32) = (-1, -1)
    let code = withUnsafeMutableBytes(of: &ends) {
      sandbox_pair($0.baseAddress?.assumingMemoryBound(to: Int32.self))
    }
    guard code == 0 else { return .failure(.isolationUnavailable(.platform)) }
    let peer = WorkerPeer(channel: ends.1)
    let worker = WorkerProcess(channel: ends.0, proof: WorkerProbe.proof)
    var request = WorkerRequest(.decode)
    request.options = options
    var hasBegun = false
    let file: [UInt8] = [1, 2, 3]
    return file.withUnsafeBytes { bytes in
      Result { () throws(ImageCodecError) in
        try worker.image(request, bytes) {
          // Once before the request is sent.
          guard hasBegun else {
            hasBegun = true
            return false
          }
          return play(peer)
        }?.image
      }
    }
  }

  /// Receives the next request. Returns false if there is none.
  func receive() -> Bool {
    forget()
    var isOdd = false
    var bytes = [UInt8](repeating: 0, count: WorkerMessage.byteCount)
    let count = bytes.withUnsafeMutableBytes { buffer in
      withUnsafeMutableBytes(of: &memories) {
        sandbox_receive(
          channel, buffer.baseAddress, buffer.count, $0.baseAddress?.assumingMemoryBound(to: Int32.self),
          &isOdd)
      }
    }
    guard count > 0, !isOdd, let message = bytes.withUnsafeBytes({ WorkerMessage($0) }) else { return false }
    request = (0..<WorkerMessage.numberCount).map { message[$0] }
    return true
  }

  /// Writes to the memory for pixels.
  func write(_ bytes: [UInt8], at offset: Int) {
    _ = bytes.withUnsafeBytes { sandbox_fill(memories.0, offset, $0.baseAddress, $0.count) }
  }

  /// Returns what lies at the beginning of the memory with the file.
  func file(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    _ = bytes.withUnsafeMutableBytes { sandbox_copy(memories.1, 0, $0.baseAddress, $0.count) }
    return bytes
  }

  /// Sends a reply, without the memory.
  func reply(_ bytes: [UInt8]) {
    forget()
    _ = bytes.withUnsafeBytes { sandbox_send(channel, $0.baseAddress, $0.count, nil, 0) }
  }

  private func forget() {
    sandbox_close(memories.0)
    sandbox_close(memories.1)
    memories = (-1, -1)
  }
}
