import CGTK
import StreamImages

/// The colors of an image in 24 fields: enough to tell one painting from another.
struct Signature {
  static let columns = 6
  static let rows = 4

  private var fields: [Int] = []

  /// What a texture shows.
  @MainActor
  init(texture: OpaquePointer) {
    let (width, height) = (Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    gdk_texture_download(texture, &bytes, gsize(width * 4))
    self.init(width, height) { x, y in
      // In the order of the machine: blue, green, red, alpha.
      let place = (y * width + x) * 4
      return (Int(bytes[place + 2]), Int(bytes[place + 1]), Int(bytes[place]))
    }
  }

  init(_ image: Image) {
    self = image.withUnsafeBytes { bytes in
      let channels = image.pixelFormat.channelCount
      return Signature(image.width, image.height) { x, y in
        let place = y * image.bytesPerRow + x * channels
        return (Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
      }
    }
  }

  private init(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> (Int, Int, Int)) {
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        var (sum, count) = ((0, 0, 0), 0)
        for y in stride(from: height * row / Self.rows, to: height * (row + 1) / Self.rows, by: 3) {
          for x in stride(from: width * column / Self.columns, to: width * (column + 1) / Self.columns, by: 3)
          {
            let (red, green, blue) = pixel(x, y)
            sum = (sum.0 + red, sum.1 + green, sum.2 + blue)
            count += 1
          }
        }
        fields += [sum.0 / max(1, count), sum.1 / max(1, count), sum.2 / max(1, count)]
      }
    }
  }

  /// How far apart the colors are, from 0 to 255 on average.
  func distance(to other: Signature) -> Double {
    Double(zip(fields, other.fields).map { abs($0 - $1) }.reduce(0, +)) / Double(max(1, fields.count))
  }
}
