import CCodecs

/// The rows of an image that is decoded while it is resized, so that it is never in memory as a whole.
final class RowReader {
  /// Writes the next row.
  typealias Read =
    @convention(c) (_ decoder: OpaquePointer?, _ row: UnsafeMutablePointer<UInt8>?) -> CodecStatus

  /// The row that was read last.
  let row: UnsafeMutablePointer<UInt8>

  /// The reason why a row could not be read.
  private(set) var status = CodecStatus.done

  /// Whether the filter needs rows in another order than that of the file.
  private(set) var isOutOfOrder = false

  private let memory: AlignedMemory
  private let decoder: OpaquePointer
  private let readNext: Read
  private var next = 0

  /// - Parameter readNext: Not a closure, whose context would be retained for each row.
  init(_ decoder: OpaquePointer, bytesPerRow: Int, readNext: @escaping Read) throws(ImageCodecError) {
    memory = try AlignedMemory(byteCount: bytesPerRow)
    row = memory.start.assumingMemoryBound(to: UInt8.self)
    (self.decoder, self.readNext) = (decoder, readNext)
  }

  /// Reads up to a row. Returns false if it is one that was read before, or cannot be read.
  func read(_ index: Int) -> Bool {
    guard index >= next else {
      isOutOfOrder = true
      return false
    }
    while next <= index, status == .done {
      status = readNext(decoder, row)
      next += 1
    }
    return status == .done
  }

  /// Notes that rows are needed more than once.
  func refuse() { isOutOfOrder = true }
}
