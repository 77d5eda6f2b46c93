public import CGTK
public import StreamImages
internal import StreamsGLib

/// Shows images in a widget that fades from one to the next.
///
/// Fades last as long as the transition of the display says, and follow GTK's setting: whoever has turned animations off sees
/// none. One that is interrupted by the next image ends at once.
@MainActor
public final class FadingPicture: ImageDisplaying {
  public let imageSlot = ImageSlot()

  /// What is shown, or fades in; `nil` if nothing has been since the last ``prepareForReuse()``.
  public private(set) var shown: ImageDisplay?

  /// A `GtkStack` of two pictures.
  public let widget: UnsafeMutablePointer<GtkWidget>

  private let reference: GObjectReference
  private let pictures: [UnsafeMutablePointer<GtkWidget>]
  private var front = 0

  private var stack: OpaquePointer { OpaquePointer(widget) }

  /// Creates a widget that shows nothing yet.
  public init() {
    widget = gtk_stack_new()
    reference = GObjectReference(OpaquePointer(widget))
    pictures = (0..<2).map { _ in gtk_picture_new() }
    for picture in pictures {
      gtk_picture_set_can_shrink(OpaquePointer(picture), 1)
      gtk_stack_add_child(stack, picture)
    }
  }

  /// Shows an image, or nothing. `.custom` transitions fade as well.
  public func display(_ display: ImageDisplay) {
    shown = display
    front = 1 - front
    OpaquePointer(pictures[front]).show(display)
    let isAnimated = display.transition.style != .none && display.transition.duration > .zero
    gtk_stack_set_transition_duration(stack, isAnimated ? display.transition.duration.ofTransition : 0)
    gtk_stack_set_transition_type(
      stack, isAnimated ? GTK_STACK_TRANSITION_TYPE_CROSSFADE : GTK_STACK_TRANSITION_TYPE_NONE)
    gtk_stack_set_visible_child(stack, pictures[front])
  }

  /// What a screen reader says of the image.
  public var alternativeText: String = "" {
    didSet {
      for picture in pictures { gtk_picture_set_alternative_text(OpaquePointer(picture), alternativeText) }
    }
  }

  /// Ends the load and shows nothing.
  public func prepareForReuse() {
    cancelRequest(for: self)
    shown = nil
    for picture in pictures { gtk_picture_set_paintable(OpaquePointer(picture), nil) }
  }

  // A widget must be released on the main thread.
  isolated deinit {}
}

extension Duration {
  /// In milliseconds, for a stack: as many as it can count in microseconds, at most.
  package var ofTransition: UInt32 {
    UInt32(min(max(0, self / .milliseconds(1)), Double(UInt32.max / 1000)))
  }
}
