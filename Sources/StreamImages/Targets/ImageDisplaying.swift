internal import Streams

/// Something that shows one picture at a time: a view, a cell, a terminal.
@MainActor
public protocol ImageDisplaying: AnyObject {
  /// Keeps the load of this target, so that it ends when the target goes: `let imageSlot = ImageSlot()`.
  var imageSlot: ImageSlot { get }

  /// Shows a picture, or nothing.
  func display(_ display: ImageDisplay)
}

/// What a target is to show, and how.
public struct ImageDisplay: Sendable {
  /// Why it is shown.
  public enum Role: Sendable, Hashable {
    /// Something before the picture is there; or nothing, so that the last picture is not taken for this one.
    case placeholder
    /// Unfinished: better is to come.
    case preview
    /// The picture that was asked for, finished.
    case picture
    /// Something in the place of the picture, as there is none.
    case failure
  }

  /// `nil` to show nothing.
  public var image: Image?
  /// Why it is shown.
  public var role: Role
  /// How it lies in the box of the target.
  public var contentMode: ImageContentMode
  /// How it takes the place of what was there.
  public var transition: ImageTransition

  /// The color to paint the picture's shape in; `nil` for the picture's own colors.
  public var tint: Image.Pixel?

  /// What is to be shown, and as what.
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

/// How a picture lies in the box of a target.
public enum ImageContentMode: Sendable, Hashable, CaseIterable {
  /// It covers the box; what sticks out is cut off.
  case fill
  /// All of it is inside.
  case fit
  /// It is not scaled.
  case center
}

/// The load of a target, and what it was of.
@MainActor
public final class ImageSlot {
  fileprivate(set) var task: ImageTask?
  private var subscription: AnyCancellable?

  /// A slot that shows nothing yet.
  public nonisolated init() {}

  /// Whether something is being loaded.
  public var isLoading: Bool { subscription != nil }

  /// Ends the load; what it would have shown is not shown.
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
