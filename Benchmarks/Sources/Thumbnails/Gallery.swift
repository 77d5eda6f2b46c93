import Foundation
import ImageCodecs

/// The photographs that are shrunk, in a folder: made once, by a painter.
struct Gallery {
  let folder: URL

  /// 200 of 12 megapixels; eight are painted, the others are the same under other names.
  var baseline: [URL] { photographs("baseline", count: 200) }
  /// 20 of 12 megapixels.
  var progressive: [URL] { photographs("progressive", count: 20) }
  /// Of 100 megapixels.
  var huge: URL { folder.appendingPathComponent("huge.jpg") }
  /// Of 100 megapixels.
  var hugeProgressive: URL { folder.appendingPathComponent("huge-progressive.jpg") }

  private func photographs(_ name: String, count: Int) -> [URL] {
    (0..<count).map { folder.appendingPathComponent("\(name)-\($0).jpg") }
  }

  func paintWhatIsMissing() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try paint(baseline, distinct: 8, isProgressive: false)
    try paint(progressive, distinct: 4, isProgressive: true)
    try paint(huge, width: 11_648, height: 8_736, seed: 99, isProgressive: false)
    try paint(hugeProgressive, width: 11_648, height: 8_736, seed: 99, isProgressive: true)
  }

  private func paint(_ files: [URL], distinct: Int, isProgressive: Bool) throws {
    for (index, file) in files.enumerated() {
      if index < distinct {
        try paint(file, width: 4_000, height: 3_000, seed: UInt64(index + 1), isProgressive: isProgressive)
      } else if !FileManager.default.fileExists(atPath: file.path) {
        try FileManager.default.linkItem(at: files[index % distinct], to: file)
      }
    }
  }

  private func paint(_ file: URL, width: Int, height: Int, seed: UInt64, isProgressive: Bool) throws {
    if FileManager.default.fileExists(atPath: file.path) { return }
    var painter = Painter(width: width, height: height, seed: seed)
    var bytes = Data()
    try JPEGWriter(
      width: width, height: height, pixelFormat: .rgb8, quality: 0.85, isProgressive: isProgressive
    ).write { y, row in
      painter.paint(y, into: row)
    } output: {
      bytes.append(contentsOf: $0)
    }
    try bytes.write(to: file, options: .atomic)
  }
}
