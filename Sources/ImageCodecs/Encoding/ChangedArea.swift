/// The rectangle in which two frames differ, of at least a pixel.
struct ChangedArea {
  let columns: Range<Int>
  let rows: Range<Int>

  init(columns: Range<Int>, rows: Range<Int>) { (self.columns, self.rows) = (columns, rows) }

  /// A whole frame.
  init(of image: Image) { self.init(columns: 0..<image.width, rows: 0..<image.height) }

  /// - Parameters:
  ///   - image: A frame with four channels of eight bits.
  ///   - last: The frame before, of the same size.
  init(of image: Image, since last: Image) {
    var (left, right, top, bottom) = (image.width, 0, image.height, 0)
    let width = image.width
    image.withUnsafeBytes { mine in
      last.withUnsafeBytes { theirs in
        let (new, old) = (mine.bindMemory(to: UInt32.self), theirs.bindMemory(to: UInt32.self))
        for y in 0..<image.height {
          let row = y * width..<(y + 1) * width
          guard let first = row.first(where: { new[$0] != old[$0] }),
            let final = row.last(where: { new[$0] != old[$0] })
          else { continue }
          (left, right) = (min(left, first - row.lowerBound), max(right, final - row.lowerBound + 1))
          (top, bottom) = (min(top, y), y + 1)
        }
      }
    }
    self.init(
      columns: left < right ? left..<right : 0..<1, rows: left < right ? top..<bottom : 0..<1)
  }
}
