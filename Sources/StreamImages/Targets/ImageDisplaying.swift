internal import Streams

/// A target that shows one image at a time, such as a view, a cell or a terminal.
@MainActor
public protocol ImageDisplaying: AnyObject {
  /// Holds the load of this target, so that it ends with the target: `let imageSlot = ImageSlot()`.
  var imageSlot: ImageSlot { get }

  /// Shows an image, or nothing.
  func display(_ display: ImageDisplay)
}

/// An image for a target to show, or none, and the way to show it.
public struct ImageDisplay: Sendable {
  /// The reason for showing an image.
  public enum Role: Sendable, Hashable {
    /// A placeholder until the image is loaded; or nothing, so that the previous image is not mistaken for this one.
    case placeholder
    /// A preview: a better image follows.
    case preview
    /// The requested image.
    case picture
    /// The failure image, in place of an image that could not be loaded.
    case failure
  }

  /// The image to show, or `nil` for nothing.
  public var image: Image?
  /// The reason for showing it.
  public var role: Role
  /// How the image is fitted to the target.
  public var contentMode: ImageContentMode
  /// The transition from what was shown before.
  public var transition: ImageTransition

  /// The color to paint the shape of the image in, or `nil` for its own colors.
  public var tint: Image.Pixel?

  /// Creates a description of what to show.
  public init(
    image: Image?, role: Role, contentMode: ImageContentMode = .fill, transition: ImageTransition = .none,
    tint: Image.Pixel? = nil
  ) {
    self.image = image
    self.role = role
    self.contentMode = contentMode
    self.transition = transition
    self.tint = tint
  }
}

/// How an image is fitted to a target.
public enum ImageContentMode: Sendable, Hashable, CaseIterable {
  /// The image covers the target and is cropped.
  case fill
  /// The whole image is visible.
  case fit
  /// The image is not scaled.
  case center
}

/// Holds the load of a target.
@MainActor
public final class ImageSlot {
  fileprivate(set) var task: ImageTask?
  private var subscription: AnyCancellable?

  /// Creates an empty slot.
  public nonisolated init() {}

  /// Whether a load is in progress.
  public var isLoading: Bool { subscription != nil }

  /// Cancels the load. Its image will not be shown.
  func clear() {
    let gone = (task, subscription)
    (task, subscription) = (nil, nil)
    gone.1?.cancel()
    gone.0?.cancel()
  }

  func hold(_ task: ImageTask, _ subscription: AnyCancellable) {
    self.task = task
    self.subscription = subscription
  }

  func isOccupied(by task: ImageTask) -> Bool { self.task == task }

  deinit { task?.cancel() }
}
