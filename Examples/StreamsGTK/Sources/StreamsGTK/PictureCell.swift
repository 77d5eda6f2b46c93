public import CGTK
public import StreamImages

/// A cell with one image: the least that a list of images needs.
///
/// Write a ``ReusableCell`` of your own for more, with a ``PictureTarget`` in it.
@MainActor
public final class PictureCell: ReusableCell {
  /// Shows the image.
  public let target = PictureTarget()

  public var widget: UnsafeMutablePointer<GtkWidget> { target.widget }

  /// Creates a cell of a size in pixels of GTK.
  public init(width: Int, height: Int) {
    gtk_widget_set_size_request(target.widget, Int32(clamping: width), Int32(clamping: height))
  }

  /// Loads an image, and shows it. What was under way for another item ends.
  ///
  /// Resize it to the size of the cell, so that decoding is fast and the cache has room for more.
  public func show(_ request: ImageRequest?, options: ImageLoadingOptions = ImageLoadingOptions()) {
    loadImage(with: request, options: options, into: target)
  }

  /// Ends the load and shows nothing.
  public func prepareForReuse() { target.prepareForReuse() }
}
