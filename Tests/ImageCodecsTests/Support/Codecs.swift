import Foundation
import ImageCodecs

/// What the libraries of this system can do.
enum Codecs {
  static let noEncoder = "libheif-plugin-x265 is not installed"

  static let writesHEIC: Bool = {
    do {
      _ = try ImageEncoder.encode(Samples.flat(16, 16, [1, 2, 3]), as: .heic())
    } catch ImageCodecError.missingLibrary {
      return false
    } catch {
      // For the tests to find.
    }
    return true
  }()

  /// Whether libheif has its codecs in packages of their own.
  static let arePlugIns: Bool = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return folders.contains { FileManager.default.fileExists(atPath: "/usr/lib/\($0)/libheif/plugins") }
  }()
}

extension [ImageEncoder.Encoding] {
  /// Without those for which this system has no encoder.
  var writable: Self { filter { $0.format != .heic || Codecs.writesHEIC } }
}
