import CGTK
import StreamImages
import StreamsGTK

/// One image in large.
@MainActor
final class DetailPage {
  let widget: Widget
  let back = Widget.button("Back to all")
  let picture = FadingPicture()

  private let title = Widget.label("", "heading")
  private let state = Widget.label("", "state")
  private let retry = Widget.button("Load again")
  private var subscriptions: Set<AnyCancellable> = []

  init(_ model: DetailModel) {
    let bar = Widget.row(12, [back, title, state, Widget.label().expanding(vertically: false), retry])
      .margins(12, 8)
    widget = .column(0, [bar, picture.widget.expanding().with("large")])
    model.$photo.compactMap(\.self)
      .sink { [picture, title] photo in
        title.text = photo.title
        picture.alternativeText = photo.title
      }
      .store(in: &subscriptions)
    model.$state
      .sink { [state, retry] new in
        state.text = new.description
        retry.isVisible = if case .failed = new { true } else { false }
      }
      .store(in: &subscriptions)
    model.displays.sink { [picture] in picture.display($0) }.store(in: &subscriptions)
    retry.signals("clicked").sink { model.retry() }.store(in: &subscriptions)
  }
}

extension DetailModel.State: CustomStringConvertible {
  var description: String {
    switch self {
    case .closed: ""
    case .loading: "loading …"
    case .low: "low resolution"
    case .high: "full resolution"
    case .failed: "This image cannot be loaded."
    }
  }
}
