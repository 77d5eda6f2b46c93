import Foundation
import ImageCodecs
import Synchronization

/// Makes thumbnails of files, as `vipsthumbnail` does: of some pixels a side, as JPEG, on as many threads as there are processors.
enum Shrinking {
  static func run(_ files: [URL], into folder: URL, side: Int) throws {
    let next = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < files.count else { return }
        do {
          let file = try ImageEncoder.encode(shrink(files[index], side: side), as: .jpeg(quality: 0.75))
          try Data(file).write(to: folder.appendingPathComponent(files[index].lastPathComponent))
        } catch {
          failure.withLock { $0 = error }
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  static func shrink(_ file: URL, side: Int) throws -> Image {
    let data = try Data(contentsOf: file, options: .alwaysMapped)
    return try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
      try ImageDecoder.decode(bytes, options: options(.fitting(Double(side))))
    }
  }

  /// In decibels: how close a thumbnail is to the one made of all pixels.
  static func quality(_ file: URL, side: Int) throws -> Double {
    try likeness(of: shrink(file, side: side), to: expected(file, side: side))
  }

  /// The same for a thumbnail that another program made.
  static func quality(of thumbnail: URL, from file: URL, side: Int) throws -> Double {
    let small = try ImageDecoder.decode([UInt8](Data(contentsOf: thumbnail)))
    return try likeness(of: small, to: expected(file, side: side))
  }

  private static func expected(_ file: URL, side: Int) throws -> Image {
    let whole = try ImageDecoder.decode([UInt8](Data(contentsOf: file)), options: options(nil))
    return try whole.resized(to: .fitting(Double(side)))
  }

  private static func likeness(of small: Image, to expected: Image) throws -> Double {
    guard small.size == expected.size, small.pixelFormat == expected.pixelFormat else { return 0 }
    var squares = 0.0
    small.withUnsafeBytes { mine in
      expected.withUnsafeBytes { theirs in
        for index in mine.indices {
          let difference = Double(mine[index]) - Double(theirs[index])
          squares += difference * difference
        }
      }
    }
    // Equal ones are as if one channel of one pixel were a level off.
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
