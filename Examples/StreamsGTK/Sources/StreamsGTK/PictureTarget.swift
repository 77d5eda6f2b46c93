public import CGTK
public import StreamImages
internal import StreamsGLib

/// Shows images in a `GtkPicture`.
///
/// ```swift
/// let target = PictureTarget()
/// gtk_box_append(box, target.widget)
/// loadImage(with: url, into: target)
/// ```
///
/// An image appears at once, whatever transition is asked for; ``FadingPicture`` shows transitions. When the target is released,
/// its load ends.
@MainActor
public final class PictureTarget: ImageDisplaying {
  public let imageSlot = ImageSlot()

  /// What is shown; `nil` if nothing has been since the last ``prepareForReuse()``.
  public private(set) var shown: ImageDisplay?

  /// The `GtkPicture`, as a widget.
  public let widget: UnsafeMutablePointer<GtkWidget>

  private let reference: GObjectReference

  /// Shows images in a new picture.
  public convenience init() { self.init(OpaquePointer(gtk_picture_new()!)) }

  /// Shows images in a picture that is there already, and keeps it alive.
  ///
  /// - Parameter picture: A `GtkPicture`.
  public init(_ picture: OpaquePointer) {
    reference = GObjectReference(picture)
    widget = UnsafeMutablePointer(picture)
    // GTK would make a picture as large as its image.
    gtk_picture_set_can_shrink(picture, 1)
  }

  /// Shows an image, or nothing.
  public func display(_ display: ImageDisplay) {
    shown = display
    OpaquePointer(widget).show(display)
  }

  /// Ends the load and shows nothing. Call it when a list takes the cell away: nothing that was on its way for the old item
  /// is shown for the next.
  public func prepareForReuse() {
    cancelRequest(for: self)
    shown = nil
    gtk_picture_set_paintable(OpaquePointer(widget), nil)
  }

  // A widget must be released on the main thread.
  isolated deinit {}
}

extension OpaquePointer {
  /// Shows an image in this `GtkPicture`.
  ///
  /// An image that there is no memory for is not shown: then nothing is.
  @MainActor
  func show(_ display: ImageDisplay) {
    let image = display.tint.flatMap { tint in display.image.map { try? $0.tinted(tint) } } ?? display.image
    let texture = image.flatMap { try? ImageTexture($0) }
    gtk_picture_set_content_fit(self, display.contentMode.contentFit)
    gtk_picture_set_paintable(self, texture?.pointer)
  }
}

extension ImageContentMode {
  /// The same in the words of GTK.
  fileprivate var contentFit: GtkContentFit {
    switch self {
    case .fill: GTK_CONTENT_FIT_COVER
    case .fit: GTK_CONTENT_FIT_CONTAIN
    case .center: GTK_CONTENT_FIT_SCALE_DOWN
    }
  }
}
