public import CGTK

/// What shows an item of a `GtkListView`, `GtkGridView` or `GtkColumnView`, and then another one.
@MainActor
public protocol ReusableCell: AnyObject {
  /// The widget of the cell; always the same.
  var widget: UnsafeMutablePointer<GtkWidget> { get }

  /// Ends what is under way for the item that was shown. Called before each other item, and before the cell goes.
  func prepareForReuse()
}

/// Makes a factory for the cells of a list.
///
/// ```swift
/// let factory = cellFactory {
///   PhotoCell(gallery)
/// } bind: { cell, position in
///   cell.show(shown[position])
/// }
/// let grid = gtk_grid_view_new(selection, factory)
/// ```
///
/// A position is one of GTK's list. Look it up in what that list was made of, which is not yet what a model has just published:
/// ``cellFactory(of:make:bind:)`` with ``ListItems`` does that.
///
/// The list makes a few more cells than it shows, and uses them again while it scrolls. A cell that is no longer needed for
/// its item is asked to prepare for the next, so that loads end for what has scrolled away.
///
/// - Parameters:
///   - make: Makes a cell.
///   - bind: Has a cell show the item at a position of the list's model.
/// - Returns: A new `GtkSignalListItemFactory`. `gtk_grid_view_new` and the like take over this reference.
@MainActor
public func cellFactory<Cell: ReusableCell>(
  make: @escaping @MainActor () -> Cell, bind: @escaping @MainActor (Cell, _ position: Int) -> Void
) -> OpaquePointer {
  let factory = gtk_signal_list_item_factory_new()!
  connect(factory, "setup") { item in
    let cell = make()
    gtk_list_item_set_child(item, cell.widget)
    item.cell = cell
  }
  connect(factory, "bind") { item in
    if let cell = item.cell as? Cell { bind(cell, Int(gtk_list_item_get_position(item))) }
  }
  connect(factory, "unbind") { item in item.cell?.prepareForReuse() }
  connect(factory, "teardown") { item in item.cell = nil }
  return factory
}

@MainActor
private func connect(
  _ factory: OpaquePointer, _ signal: String, _ call: @escaping @MainActor (_ item: OpaquePointer) -> Void
) {
  let handler = Unmanaged.passRetained(Handler(call: call)).toOpaque()
  // Swapped, so that the handler comes first; then the item, and the factory.
  let function: @convention(c) (gpointer, gpointer, gpointer) -> Void = { handler, item, _ in
    MainActor.assumeIsolated {
      Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue().call(OpaquePointer(item))
    }
  }
  g_signal_connect_data(
    UnsafeMutableRawPointer(factory), signal, unsafeBitCast(function, to: GCallback.self), handler,
    { handler, _ in Unmanaged<Handler>.fromOpaque(handler!).release() }, G_CONNECT_SWAPPED)
}

private final class Handler {
  let call: @MainActor (OpaquePointer) -> Void

  init(call: @escaping @MainActor (OpaquePointer) -> Void) { self.call = call }
}

extension OpaquePointer {
  /// The cell of this `GtkListItem`, which keeps it.
  @MainActor
  fileprivate var cell: (any ReusableCell)? {
    get {
      guard let data = g_object_get_data(UnsafeMutablePointer<GObject>(self), "StreamsGTK.cell") else {
        return nil
      }
      return Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().cell
    }
    nonmutating set {
      let data = newValue.map { Unmanaged.passRetained(Box(cell: $0)).toOpaque() }
      g_object_set_data_full(UnsafeMutablePointer<GObject>(self), "StreamsGTK.cell", data) { data in
        Unmanaged<Box>.fromOpaque(data!).release()
      }
    }
  }
}

private final class Box {
  let cell: any ReusableCell

  init(cell: any ReusableCell) { self.cell = cell }
}
