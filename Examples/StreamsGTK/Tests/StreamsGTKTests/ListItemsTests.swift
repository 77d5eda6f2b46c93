import CGTK
import Streams
import StreamsGTK
import StreamsGLib
import Testing

/// GTK's lists need no display.
@MainActor
@Suite("The items of a list")
struct ListItemsTests {
  /// The places that GTK is told to have changed: where, how many were there, and how many are.
  private final class Changes {
    var all: [[UInt32]] = []
  }

  private func changes(of list: OpaquePointer, _ body: () -> Void) -> [[UInt32]] {
    let changes = Changes()
    let call: @convention(c) (gpointer, guint, guint, guint, gpointer) -> Void = {
      _, place, old, new, changes in
      Unmanaged<Changes>.fromOpaque(changes).takeUnretainedValue().all.append([place, old, new])
    }
    let handler = g_signal_connect_data(
      UnsafeMutableRawPointer(list), "items-changed", unsafeBitCast(call, to: GCallback.self),
      Unmanaged.passUnretained(changes).toOpaque(), nil, G_CONNECT_DEFAULT)
    body()
    g_signal_handler_disconnect(UnsafeMutableRawPointer(list), handler)
    return withExtendedLifetime(changes) { changes.all }
  }

  @Test("GTK's list has an entry for each item")
  func count() {
    let items = ListItems(["a", "b", "c"])
    let list = items.newReference()
    defer { g_object_unref(UnsafeMutableRawPointer(list)) }

    #expect(g_list_model_get_n_items(list) == 3 && items.items == ["a", "b", "c"])
    #expect(items[2] == "c" && items[3] == nil && items[-1] == nil)
    items.replace(with: [])
    #expect(g_list_model_get_n_items(list) == 0 && items[0] == nil)
  }

  nonisolated static let replacements: [([Int], [Int], [[UInt32]])] = [
    ([1, 2, 3], [1, 2, 3], []), ([], [], []), ([1, 2, 3], [1, 2, 3, 4, 5], [[3, 0, 2]]),
    ([1, 2, 3], [0, 1, 2, 3], [[0, 0, 1]]), ([1, 2, 3], [1, 9, 3], [[1, 1, 1]]),
    ([1, 2, 3], [1, 3], [[1, 1, 0]]),
    ([1, 1, 1], [1, 1], [[2, 1, 0]]), ([1, 2], [2, 1], [[0, 2, 2]]), ([1, 2, 3], [], [[0, 3, 0]]),
    ([], [1, 2], [[0, 0, 2]]), ([1, 2, 1], [1, 2, 1, 2, 1], [[3, 0, 2]]),
  ]

  @Test("Only the cells between the first and the last difference are bound again", arguments: replacements)
  func difference(old: [Int], new: [Int], expected: [[UInt32]]) {
    let items = ListItems(old)
    let list = items.newReference()
    defer { g_object_unref(UnsafeMutableRawPointer(list)) }

    let found = changes(of: list) { items.replace(with: new) }

    #expect(found == expected && items.items == new)
    #expect(g_list_model_get_n_items(list) == UInt32(new.count))
  }

  @Test("When GTK asks for a changed item, the new one is there")
  func order() {
    let items = ListItems([1, 2, 3])
    let list = items.newReference()
    defer { g_object_unref(UnsafeMutableRawPointer(list)) }
    var seen: [Int?] = []

    let subscription = numbers(of: UnsafeMutableRawPointer(list), named: "items-changed").sink {
      seen.append(items[Int($0)])
    }
    items.replace(with: [1, 7, 3])
    items.replace(with: [1, 7, 3, 8])

    #expect(seen == [7, 8])
    subscription.cancel()
  }
}
