import Foundation
import ImageCodecs

/// The photographs that are shrunk, in a folder: made once, by a painter.
struct Gallery {
  let folder: URL

  /// 1,000 of 0.1 megapixels; eight are painted, as of all of these.
  var web: [URL] { photographs("web", count: 1_000) }
  /// 500 of 0.5 megapixels.
  var small: [URL] { photographs("small", count: 500) }
  var smallProgressive: [URL] { photographs("small-progressive", count: 200) }
  /// 200 of two megapixels.
  var screen: [URL] { photographs("screen", count: 200) }
  var screenProgressive: [URL] { photographs("screen-progressive", count: 100) }
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
    try paint(web, 387, 258, distinct: 8, isProgressive: false)
    try paint(small, 866, 577, distinct: 8, isProgressive: false)
    try paint(smallProgressive, 866, 577, distinct: 8, isProgressive: true)
    try paint(screen, 1_732, 1_155, distinct: 8, isProgressive: false)
    try paint(screenProgressive, 1_732, 1_155, distinct: 8, isProgressive: true)
    try paint(baseline, 4_000, 3_000, distinct: 8, isProgressive: false)
    try paint(progressive, 4_000, 3_000, distinct: 4, isProgressive: true)
    try paint(huge, width: 11_648, height: 8_736, seed: 99, isProgressive: false)
    try paint(hugeProgressive, width: 11_648, height: 8_736, seed: 99, isProgressive: true)
  }

  private func paint(
    _ files: [URL], _ width: Int, _ height: Int, distinct: Int, isProgressive: Bool
  ) throws {
    for (index, file) in files.enumerated() {
      if index < distinct {
        try paint(file, width: width, height: height, seed: UInt64(index + 1), isProgressive: isProgressive)
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
