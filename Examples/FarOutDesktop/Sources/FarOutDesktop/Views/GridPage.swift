import CGTK
import StreamImages
import StreamsExtras
import StreamsGLib
import StreamsGTK

/// The thumbnails. Choosing one opens it, picks it, or loads it again if that failed.
@MainActor
final class GridPage {
  let widget: Widget
  let grid: Widget
  /// The cells that have a photo.
  private(set) var cells: [ObjectIdentifier: PhotoCell] = [:]
  /// What was chosen, with a click or with the keyboard.
  let chosen = PassthroughSubject<Photo, Never>()
  /// Each change of a cell.
  let changes = PassthroughSubject<PhotoCell, Never>()

  private let scrolled: Widget
  private let found = ListItems<Photo>()
  private var picked: Set<Photo> = []
  private var scrolling: AnyCancellable?
  private var subscriptions: Set<AnyCancellable> = []

  var adjustment: UnsafeMutablePointer<GtkAdjustment> { gtk_scrolled_window_get_vadjustment(scrolled.opaque) }

  init(_ gallery: Gallery, _ search: SearchModel, _ picker: PickerModel) {
    scrolled = gtk_scrolled_window_new()
    grid = gtk_grid_view_new(gtk_no_selection_new(found.newReference()), nil)
    widget = scrolled.expanding()
    gtk_grid_view_set_max_columns(grid.opaque, 6)
    gtk_scrolled_window_set_child(scrolled.opaque, grid)

    // Cells may outlive the page by a moment, when the window is closed.
    let factory = cellFactory(of: found) { [weak self] in
      let cell = PhotoCell(gallery)
      cell.changed = { [weak self] in self?.changed($0) }
      // Not the grid's own single clicks: GTK 4.8 then selects what the pointer is over, also while it goes through its
      // cells to place them, and crashes.
      cell.clicked = { [weak self] in self?.choose($0) }
      return cell
    } bind: { [weak self] cell, photo in
      guard let self else { return }
      cells[ObjectIdentifier(cell)] = cell
      cell.show(photo, isPicked: picked.contains(photo))
    }
    gtk_grid_view_set_factory(grid.opaque, factory)
    g_object_unref(UnsafeMutableRawPointer(factory))
    connectActivate()
    search.$found.named("grid").sink { [weak self] in self?.show($0) }.store(in: &subscriptions)
    picker.$picked.sink { [weak self] in self?.mark($0) }.store(in: &subscriptions)
  }

  /// Those on the screen, in no order.
  var visibleCells: [PhotoCell] {
    cells.values.filter { gtk_widget_get_mapped($0.widget) != 0 }
  }

  private func changed(_ cell: PhotoCell) {
    if cell.state == .empty { cells[ObjectIdentifier(cell)] = nil }
    changes.send(cell)
  }

  private func show(_ photos: [Photo]) {
    // A place further down may not be there any more.
    gtk_adjustment_set_value(adjustment, 0)
    found.replace(with: photos)
  }

  /// GTK 4.8 ignores a place if it has not laid out its rows since the one before, and returns to that with the next frame.
  func scrollToFirst() {
    gtk_adjustment_set_value(adjustment, 0)
    guard let clock = gtk_widget_get_frame_clock(grid) else { return }
    scrolling = signals(of: clock, named: "after-paint").prefix(3).sink { [adjustment] in
      gtk_adjustment_set_value(adjustment, 0)
    }
  }

  private func mark(_ photos: [Photo]) {
    picked = Set(photos)
    for cell in cells.values { cell.mark(isPicked: cell.photo.map(picked.contains) ?? false) }
  }

  private func choose(_ position: Int) {
    guard let photo = found[position] else { return }
    if let cell = cells.values.first(where: { $0.photo == photo }) {
      choose(cell)
    } else {
      chosen.send(photo)
    }
  }

  private func choose(_ cell: PhotoCell) {
    guard let photo = cell.photo else { return }
    if cell.state == .failed { cell.load() } else { chosen.send(photo) }
  }

  private func connectActivate() {
    let function: @convention(c) (gpointer, guint, gpointer) -> Void = { _, position, page in
      MainActor.assumeIsolated {
        Unmanaged<GridPage>.fromOpaque(page).takeUnretainedValue().choose(Int(position))
      }
    }
    g_signal_connect_data(
      grid, "activate", unsafeBitCast(function, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil,
      G_CONNECT_DEFAULT)
  }
}
