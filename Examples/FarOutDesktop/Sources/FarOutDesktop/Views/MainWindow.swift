import CGTK
import StreamImages
import StreamsGTK

/// The window: a bar with the search, the thumbnails or one image, the figures, and what is picked.
@MainActor
final class MainWindow {
  let widget: Widget
  let page: GridPage
  let search: SearchModel
  let detail: DetailModel
  let picker: PickerModel
  let frames = FrameMeter()

  private let gallery: Gallery
  private let stack = gtk_stack_new()!
  private let count = Widget.label("", "state")
  private var parts: [Any] = []
  private var subscriptions: Set<AnyCancellable> = []

  init(_ application: UnsafeMutablePointer<GtkApplication>, _ gallery: Gallery, _ picker: PickerModel) {
    self.gallery = gallery
    self.picker = picker
    search = SearchModel(gallery)
    detail = DetailModel(gallery)
    page = GridPage(gallery, search, picker)
    widget = gtk_application_window_new(application)

    let frames = frames
    let panel = CountersPanel(CountersModel(gallery) { (frames.figures.count, frames.figures.partInTime) })
    let bar = PickerBar(picker, gallery)
    let detailPage = DetailPage(detail)
    parts = [panel, bar, detailPage]

    gtk_stack_add_named(stack.opaque, page.widget, "all")
    gtk_stack_add_named(stack.opaque, detailPage.widget, "one")
    let content = Widget.row(0, [stack.expanding(), panel.widget])
    let window = widget.of(GtkWindow.self)
    gtk_window_set_title(window, "Far Out Photos")
    gtk_window_set_default_size(window, 1_180, 812)
    gtk_window_set_titlebar(window, header(panel))
    gtk_window_set_child(window, Widget.column(0, [content, bar.widget]))
    connect(detailPage)
  }

  func present() {
    gtk_window_present(widget.of(GtkWindow.self))
    frames.watch(widget)
    // The grid, so that the arrow keys work at once.
    gtk_widget_grab_focus(page.grid)
  }

  private func header(_ panel: CountersPanel) -> Widget {
    let header = gtk_header_bar_new()!
    let entry = gtk_search_entry_new()!.sized(260, -1)
    gtk_search_entry_set_key_capture_widget(entry.opaque, widget)
    setAccessibleLabel(of: entry.opaque, "Search")
    let pick = Widget.button("Pick six")
    let figures = gtk_toggle_button_new_with_label("Counters")!
    gtk_toggle_button_set_active(figures.of(GtkToggleButton.self), 1)
    gtk_header_bar_pack_start(header.opaque, entry)
    gtk_header_bar_pack_start(header.opaque, count)
    gtk_header_bar_pack_end(header.opaque, figures)
    gtk_header_bar_pack_end(header.opaque, pick)

    // What is typed anywhere goes to the search. From the second letter on it must go there first: the grid has a use for
    // the space bar.
    entry.signals("search-started")
      .sink {
        gtk_widget_grab_focus(entry)
        gtk_editable_set_position(entry.opaque, -1)
      }
      .store(in: &subscriptions)
    entry.signals("search-changed")
      .map { String(cString: gtk_editable_get_text(entry.opaque)) }
      .assign(to: &search.$term)
    pick.signals("clicked").sink { [picker] in picker.open() }.store(in: &subscriptions)
    figures.signals("toggled")
      .sink { panel.widget.isVisible = gtk_toggle_button_get_active(figures.of(GtkToggleButton.self)) != 0 }
      .store(in: &subscriptions)
    search.$found.combineLatest(search.$problem)
      .sink { [count] found, problem in count.text = problem ?? "\(found.count) images" }
      .store(in: &subscriptions)
    return header
  }

  private func connect(_ detailPage: DetailPage) {
    page.chosen
      .sink { [unowned self] photo in
        if picker.state == .picking { picker.pick(photo) } else { detail.show(photo) }
      }
      .store(in: &subscriptions)
    detail.$state.map { $0 != .closed }.removeDuplicates()
      .sink { [stack, page] isOpen in
        gtk_stack_set_visible_child_name(stack.opaque, isOpen ? "one" : "all")
        // So that the arrow keys work at once.
        if !isOpen { gtk_widget_grab_focus(page.grid) }
      }
      .store(in: &subscriptions)
    detailPage.back.signals("clicked").sink { [unowned self] in detail.close() }.store(in: &subscriptions)
    onKey(GDK_KEY_Escape) { [unowned self] in
      if detail.state == .closed { return false }
      detail.close()
      return true
    }
    // GTK 4.8 moves the focus, and scrolls only if it was elsewhere: not from far away if the first image has it already.
    onKey(GDK_KEY_Home, GDK_CONTROL_MASK) { [unowned self] in
      if detail.state == .closed { page.scrollToFirst() }
      return false
    }
  }

  /// - Parameter action: Returns whether it has used the key, and others get nothing of it.
  private func onKey(
    _ key: Int32, _ modifiers: GdkModifierType = GdkModifierType(0), _ action: @escaping () -> Bool
  ) {
    let controller = gtk_shortcut_controller_new()!
    gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
    let call: GtkShortcutFunc = { _, _, data in
      MainActor.assumeIsolated { Unmanaged<Action>.fromOpaque(data!).takeUnretainedValue().call() ? 1 : 0 }
    }
    let handler = Unmanaged.passRetained(Action(call: action)).toOpaque()
    let shortcut = gtk_shortcut_new(
      gtk_keyval_trigger_new(UInt32(key), modifiers),
      gtk_callback_action_new(call, handler) { data in Unmanaged<Action>.fromOpaque(data!).release() })
    gtk_shortcut_controller_add_shortcut(controller, shortcut)
    gtk_widget_add_controller(widget, controller)
  }

  private final class Action {
    let call: () -> Bool

    init(call: @escaping () -> Bool) { self.call = call }
  }
}
