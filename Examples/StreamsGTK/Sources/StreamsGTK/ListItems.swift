internal import CGTK
internal import StreamsGLib

/// The items of a `GtkListView`, `GtkGridView` or `GtkColumnView`, of any type.
///
/// ```swift
/// let found = ListItems<Photo>()
/// let grid = gtk_grid_view_new(gtk_no_selection_new(found.newReference()), factory)
/// search.$photos.sink { found.replace(with: $0) }.store(in: &subscriptions)
/// ```
///
/// A model that publishes its items publishes them before GTK's list has changed, and a cell that looks up an item by its
/// position meanwhile shows a wrong one. This keeps both together: cells made by ``cellFactory(of:make:bind:)`` are given the
/// item itself.
@MainActor
public final class ListItems<Item> {
  /// The items that are shown, in order.
  public private(set) var items: [Item]

  /// GTK's list: an entry for each item.
  private let list: GObjectReference

  /// Creates a list.
  public init(_ items: [Item] = []) {
    self.items = items
    let list = gtk_string_list_new(nil)!
    self.list = GObjectReference(list)
    // The reference is that of `list`.
    g_object_unref(UnsafeMutableRawPointer(list))
    splice(0..<0, items.count)
  }

  /// Returns GTK's list, a `GListModel`, with a reference that `gtk_no_selection_new` and the like take over.
  public func newReference() -> OpaquePointer { OpaquePointer(g_object_ref(list.pointer)!) }

  /// Replaces all items. Cells are bound again.
  ///
  /// - Complexity: O(n) in the number of items.
  public func replace(with items: [Item]) {
    let old = self.items.count
    self.items = items
    splice(0..<old, items.count)
  }

  /// Replaces all items. Cells are bound again only between the first item that differs and the last one, so a list that is
  /// continued at its end keeps what it shows.
  public func replace(with items: [Item]) where Item: Equatable {
    let old = self.items
    let most = min(old.count, items.count)
    let start = zip(old, items).prefix { $0 == $1 }.count
    let same = zip(old.reversed(), items.reversed()).prefix(most - start).prefix { $0 == $1 }.count
    self.items = items
    if start + same < max(old.count, items.count) {
      splice(start..<old.count - same, items.count - same - start)
    }
  }

  /// The item at a position of GTK's list; `nil` outside of it.
  public subscript(position: Int) -> Item? { items.indices.contains(position) ? items[position] : nil }

  private func splice(_ removed: Range<Int>, _ added: Int) {
    "".withCString { empty in
      var entries: [UnsafePointer<CChar>?] = [UnsafePointer<CChar>?](repeating: empty, count: added) + [nil]
      gtk_string_list_splice(
        OpaquePointer(list.pointer), guint(removed.lowerBound), guint(removed.count), &entries)
    }
  }
}

/// Makes a factory for the cells of a list whose items are `items`; see ``cellFactory(make:bind:)``.
///
/// ```swift
/// let factory = cellFactory(of: found) {
///   PictureCell(width: 160, height: 120)
/// } bind: { cell, photo in
///   cell.show(ImageRequest(url: photo.url))
/// }
/// ```
@MainActor
public func cellFactory<Cell: ReusableCell, Item>(
  of items: ListItems<Item>, make: @escaping @MainActor () -> Cell,
  bind: @escaping @MainActor (Cell, Item) -> Void
) -> OpaquePointer {
  cellFactory(make: make) { cell, position in
    if let item = items[position] { bind(cell, item) }
  }
}
