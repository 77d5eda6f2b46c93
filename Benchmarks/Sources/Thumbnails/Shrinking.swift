import Foundation
import ImageCodecs
import Synchronization

/// Makes thumbnails of files, as `vipsthumbnail` does: 320 pixels, as JPEG, on as many threads as there are processors.
enum Shrinking {
  static let side = 320.0

  static func run(_ files: [URL], into folder: URL) throws {
    let next = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < files.count else { return }
        do {
          let file = try ImageEncoder.encode(shrink(files[index]), as: .jpeg(quality: 0.75))
          try Data(file).write(to: folder.appendingPathComponent(files[index].lastPathComponent))
        } catch {
          failure.withLock { $0 = error }
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  static func shrink(_ file: URL) throws -> Image {
    let data = try Data(contentsOf: file, options: .alwaysMapped)
    return try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
      try ImageDecoder.decode(bytes, options: options(.fitting(side)))
    }
  }

  /// In decibels: how close a thumbnail is to the one made of all pixels.
  static func quality(_ file: URL) throws -> Double {
    let small = try shrink(file)
    let whole = try ImageDecoder.decode([UInt8](Data(contentsOf: file)), options: options(nil))
    let expected = try whole.resized(to: .fitting(side))
    var squares = 0.0
    small.withUnsafeBytes { mine in
      expected.withUnsafeBytes { theirs in
        for index in mine.indices {
          let difference = Double(mine[index]) - Double(theirs[index])
          squares += difference * difference
        }
      }
    }
    return 10 * log10(65_025 * Double(small.byteCount) / max(squares, 1))
  }

  private static func options(_ target: ResizeTarget?) -> DecodingOptions {
    var options = DecodingOptions(target: target)
    options.limits.maximumPixels = 200_000_000
    options.limits.maximumDecodedBytes = 1 << 30
    options.limits.maximumWorkingBytes = 1 << 30
    return options
  }
}
