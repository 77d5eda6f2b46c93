import CGTK
import StreamImages
import StreamsGTK

/// What has been picked so far, and what became of the collage.
@MainActor
final class PickerBar {
  let widget: Widget

  private let state = Widget.label("", "heading")
  private let pictures = (0..<PickerModel.limit).map { _ in PictureTarget() }
  private let collage = PictureTarget()
  private let other = Widget.button("Use the folder of this example")
  private let close = Widget.button("Close")
  private var subscriptions: Set<AnyCancellable> = []

  init(_ model: PickerModel, _ gallery: Gallery) {
    let tile = Gallery.tile
    let thumbnails = Widget.row(
      6, (pictures + [collage]).map { $0.widget.sized(tile.width, tile.height).with("tile") })
    let bar = Widget.row(12, [state, thumbnails, Widget.label().expanding(vertically: false), other, close])
      .margins(12, 8)
    widget = Widget.column(0, [bar]).with("bar")
    gtk_picture_set_alternative_text(collage.widget.opaque, "The collage")

    model.$state.combineLatest(model.$picked)
      .sink { [unowned self] new, picked in
        widget.isVisible = new != .closed
        other.isVisible = new == .denied
        thumbnails.isVisible = new != .denied
        state.text = Self.text(new, picked.count)
      }
      .store(in: &subscriptions)
    model.$picked.sink { [unowned self] in show($0, gallery) }.store(in: &subscriptions)
    model.$collage
      .sink { [unowned self] image in
        collage.widget.isVisible = image != nil
        let small = image.flatMap { try? $0.resized(to: .fitting(Double(Gallery.tile.width))) }
        collage.display(ImageDisplay(image: small, role: .picture))
      }
      .store(in: &subscriptions)
    other.signals("clicked").sink { model.useOtherLibrary() }.store(in: &subscriptions)
    close.signals("clicked").sink { model.close() }.store(in: &subscriptions)
  }

  private func show(_ picked: [Photo], _ gallery: Gallery) {
    var options = ImageLoadingOptions()
    options.pipeline = gallery.pipeline
    for (index, target) in pictures.enumerated() {
      let photo = picked.indices.contains(index) ? picked[index] : nil
      gtk_picture_set_alternative_text(target.widget.opaque, photo?.title)
      if let photo {
        loadImage(with: gallery.tile(of: photo), options: options, into: target)
      } else {
        target.prepareForReuse()
      }
    }
  }

  private static func text(_ state: PickerModel.State, _ count: Int) -> String {
    switch state {
    case .closed: ""
    case .picking: "Pick \(PickerModel.limit) images: \(count) of \(PickerModel.limit)"
    case .saving: "Saving the collage …"
    case .saved(let name): "Saved as \(name)"
    case .denied: "No permission to save images in this folder."
    case .failed(let reason): "The collage was not saved: \(reason)"
    }
  }
}
