import Foundation
import StreamImages

/// A picture, and the bytes it was decoded from.
struct Picture: Sendable {
  let data: Data
  let image: Image

  /// Decodes. `nil` if these bytes are no picture.
  init?(_ data: Data) {
    guard let image = try? ImageDecoder.decode(Array(data)) else { return nil }
    self.data = data
    self.image = image
  }

  /// In bytes of memory.
  var cost: Int { image.byteCount + data.count }
}
