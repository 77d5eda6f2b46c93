import CGTK
import StreamImages

/// Figures of the pipeline, as they change.
@MainActor
final class CountersPanel {
  let widget: Widget

  private let figures: [(name: String, label: Widget)]
  private let model: CountersModel
  private var subscription: AnyCancellable?

  private static let names = [
    "In flight", "From memory", "From disk", "From the network", "Cancelled", "Failed", "Loaded",
    "Image cache",
    "Limit of the cache", "Process", "Decoded", "… on the main thread", "Frames in time",
  ]

  init(_ model: CountersModel) {
    self.model = model
    figures = Self.names.map { ($0, Widget.label("0", "figure")) }
    let grid = gtk_grid_new()!.margins(14, 12)
    gtk_grid_set_row_spacing(grid.of(GtkGrid.self), 7)
    gtk_grid_set_column_spacing(grid.of(GtkGrid.self), 18)
    widget = Widget.column(0, [Widget.label("Live counters", "heading").margins(14, 12), grid]).with("panel")
    for (row, figure) in figures.enumerated() {
      let name = Widget.label(figure.name, "name").aligned(GTK_ALIGN_START, GTK_ALIGN_CENTER)
      let label = figure.label.aligned(GTK_ALIGN_END, GTK_ALIGN_CENTER)
      gtk_label_set_width_chars(label.opaque, 8)
      gtk_label_set_xalign(label.opaque, 1)
      gtk_grid_attach(grid.of(GtkGrid.self), name, 0, Int32(row), 1, 1)
      gtk_grid_attach(grid.of(GtkGrid.self), label, 1, Int32(row), 1, 1)
    }
    subscription = model.$numbers.sink { [weak self] in self?.show($0) }
  }

  private func show(_ numbers: CountersModel.Numbers) {
    let traffic = numbers.traffic
    let texts = [
      "\(traffic.inFlight)", "\(numbers.memoryHits)", "\(traffic.fromDisk)", "\(traffic.fromNetwork)",
      "\(traffic.cancelled)", "\(traffic.failed)", traffic.bytesLoaded.mebibytes,
      numbers.memoryBytes.mebibytes,
      numbers.memoryLimit.mebibytes, numbers.resident.mebibytes, "\(numbers.decoded)",
      "\(numbers.decodedOnMainThread)", "\((numbers.framesInTime * 1_000).rounded(.down) / 10) %",
    ]
    for (figure, text) in zip(figures, texts) { figure.label.text = text }
  }
}
