import Foundation
import StreamImages

/// Fails, but not before it may go on.
struct HeldEncoder: ImageEncoding {
  let begun = Latch()
  let goOn = DispatchSemaphore(value: 0)

  func encode(_ image: Image) throws -> Data {
    begun.open()
    goOn.wait()
    throw ImageCodecError.outOfMemory
  }
}
