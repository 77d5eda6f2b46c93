import CGTK
import StreamImages
import StreamsGLib
import StreamsGTK

/// A thumbnail with its title, and where it came from. It shows one photo after another.
@MainActor
final class PhotoCell: ReusableCell {
  /// What became of the photo that is shown.
  enum State: String {
    case empty, loading, shown, failed
  }

  let widget: Widget
  let target = PictureTarget()
  private(set) var photo: Photo?
  private(set) var state = State.empty
  private(set) var source: String?

  /// Called when the state has changed.
  var changed: ((PhotoCell) -> Void)?
  /// Called when the mouse has clicked it.
  var clicked: ((PhotoCell) -> Void)?

  private let gallery: Gallery
  private var clicks: AnyCancellable?
  private let title = Widget.label("", "caption")
  private let badge = Widget.label("", "badge").aligned(GTK_ALIGN_END, GTK_ALIGN_START).margins(6, 6)
  private let retry = Widget.label("Try again", "retry").aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
  private let check = Widget.label("✓", "picked").aligned(GTK_ALIGN_START, GTK_ALIGN_START).margins(6, 6)

  init(_ gallery: Gallery) {
    self.gallery = gallery
    let size = Gallery.cell
    let overlay = gtk_overlay_new()!.sized(size.width, size.height).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_START)
    gtk_overlay_set_child(overlay.opaque, target.widget)
    for above in [badge, retry, check] { gtk_overlay_add_overlay(overlay.opaque, above) }
    widget = .column(4, [overlay, title]).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_START)
    gtk_label_set_ellipsize(title.opaque, PANGO_ELLIPSIZE_END)
    (badge.isVisible, retry.isVisible, check.isVisible) = (false, false, false)
    let click = gtk_gesture_click_new()!
    clicks = signals(of: UnsafeMutableRawPointer(click), named: "released").sink { [unowned self] in
      // Of a double click, the grid would make one more.
      gtk_gesture_set_state(click, GTK_EVENT_SEQUENCE_CLAIMED)
      clicked?(self)
    }
    gtk_widget_add_controller(widget, click)
  }

  func show(_ photo: Photo, isPicked: Bool) {
    self.photo = photo
    title.text = photo.title
    gtk_picture_set_alternative_text(target.widget.opaque, photo.title)
    check.isVisible = isPicked
    load()
  }

  /// Loads the photo, also a second time.
  func load() {
    guard let photo else { return }
    (badge.isVisible, retry.isVisible) = (false, false)
    enter(.loading)
    var options = ImageLoadingOptions()
    options.pipeline = gallery.pipeline
    options.placeholder = Artwork.placeholder
    options.failureImage = Artwork.failure
    loadImage(with: gallery.thumbnail(of: photo), options: options, into: target) { [weak self] in
      self?.end($0)
    }
  }

  /// What has scrolled away is loaded for nobody.
  func prepareForReuse() {
    target.prepareForReuse()
    (photo, source) = (nil, nil)
    enter(.empty)
  }

  func mark(isPicked: Bool) { check.isVisible = isPicked }

  private func end(_ result: Result<ImageResponse, ImagePipeline.Error>) {
    switch result {
    case .success(let response):
      let source = response.cacheSource == .memory ? "memory" : response.origin == .disk ? "disk" : "network"
      for name in ["memory", "disk", "network"] { gtk_widget_remove_css_class(badge, name) }
      gtk_widget_add_css_class(badge, source)
      badge.text = source
      badge.isVisible = true
      self.source = source
      enter(.shown)
    case .failure:
      retry.isVisible = true
      enter(.failed)
    }
  }

  private func enter(_ state: State) {
    self.state = state
    changed?(self)
  }
}
