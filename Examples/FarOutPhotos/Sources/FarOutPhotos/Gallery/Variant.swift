import Foundation
import StreamImages

/// A photograph in a size and a shape, as pages ask for it: `/photos/7-4f1d…/fill/480x360`.
struct Variant: Sendable, Hashable {
  /// Which sides there are. Pages round up to them: not each pixel is to be another entry of the caches.
  static let step = 40
  private static let sides = step...1_600

  let photo: Int
  let mode: ImageProcessors.ContentMode
  let width: Int
  let height: Int

  /// - Parameters:
  ///   - mode: `fit` or `fill`.
  ///   - size: `480x360`, for example. `nil` for what is no variant.
  init?(photo: Int, mode: String, size: String) {
    let sides = size.split(separator: "x").compactMap { Int($0) }
    guard let mode = Self.modes[mode], sides.count == 2,
      sides.allSatisfy({ Self.sides.contains($0) && $0 % Self.step == 0 })
    else { return nil }
    self.photo = photo
    self.mode = mode
    width = sides[0]
    height = sides[1]
  }

  var processor: ImageProcessors.Resize {
    .resize(size: CGSize(width: width, height: height), contentMode: mode, crop: mode == .aspectFill)
  }

  /// What the caches know its bytes by. It says all that the bytes depend on, so that it is the same for all instances.
  func identity(of photo: Photo) -> String { "\(photo.identity) \(processor.identifier) jpeg 82" }

  private static let modes = ["fit": ImageProcessors.ContentMode.aspectFit, "fill": .aspectFill]
}
