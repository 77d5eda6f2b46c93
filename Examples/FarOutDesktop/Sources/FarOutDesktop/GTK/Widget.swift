import CGTK
import StreamImages
import StreamsGLib

/// A widget of GTK. Its parent keeps it.
typealias Widget = UnsafeMutablePointer<GtkWidget>

/// What of GTK's C is written often here, in the words of Swift.
@MainActor
extension UnsafeMutablePointer<GtkWidget> {
  /// For functions that take a type which Swift sees as opaque.
  var opaque: OpaquePointer { OpaquePointer(self) }

  /// For functions that take a type which Swift can see into.
  func of<Object>(_ type: Object.Type) -> UnsafeMutablePointer<Object> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
  }

  var isVisible: Bool {
    get { gtk_widget_get_visible(self) != 0 }
    nonmutating set { gtk_widget_set_visible(self, newValue ? 1 : 0) }
  }

  var isSensitive: Bool {
    get { gtk_widget_get_sensitive(self) != 0 }
    nonmutating set { gtk_widget_set_sensitive(self, newValue ? 1 : 0) }
  }

  /// Of a label.
  var text: String {
    get { String(cString: gtk_label_get_text(opaque)) }
    nonmutating set { if text != newValue { gtk_label_set_text(opaque, newValue) } }
  }

  /// Publishes each emission of a signal of this widget.
  func signals(_ name: String) -> AnyPublisher<Void, Never> {
    StreamsGLib.signals(of: UnsafeMutableRawPointer(self), named: name)
  }

  func with(_ classes: String...) -> Widget {
    for name in classes { gtk_widget_add_css_class(self, name) }
    return self
  }

  func margins(_ horizontal: Int32, _ vertical: Int32) -> Widget {
    gtk_widget_set_margin_start(self, horizontal)
    gtk_widget_set_margin_end(self, horizontal)
    gtk_widget_set_margin_top(self, vertical)
    gtk_widget_set_margin_bottom(self, vertical)
    return self
  }

  func expanding(horizontally: Bool = true, vertically: Bool = true) -> Widget {
    gtk_widget_set_hexpand(self, horizontally ? 1 : 0)
    gtk_widget_set_vexpand(self, vertically ? 1 : 0)
    return self
  }

  func aligned(_ horizontal: GtkAlign, _ vertical: GtkAlign) -> Widget {
    gtk_widget_set_halign(self, horizontal)
    gtk_widget_set_valign(self, vertical)
    return self
  }

  func sized(_ width: Int, _ height: Int) -> Widget {
    gtk_widget_set_size_request(self, Int32(width), Int32(height))
    return self
  }

  static func row(_ spacing: Int32 = 0, _ children: [Widget]) -> Widget {
    box(GTK_ORIENTATION_HORIZONTAL, spacing, children)
  }

  static func column(_ spacing: Int32 = 0, _ children: [Widget]) -> Widget {
    box(GTK_ORIENTATION_VERTICAL, spacing, children)
  }

  private static func box(_ orientation: GtkOrientation, _ spacing: Int32, _ children: [Widget]) -> Widget {
    let box = gtk_box_new(orientation, spacing)!
    for child in children { gtk_box_append(box.of(GtkBox.self), child) }
    return box
  }

  static func label(_ text: String = "", _ classes: String...) -> Widget {
    let label = gtk_label_new(text)!
    for name in classes { gtk_widget_add_css_class(label, name) }
    return label
  }

  static func button(_ title: String, _ classes: String...) -> Widget {
    let button = gtk_button_new_with_label(title)!
    for name in classes { gtk_widget_add_css_class(button, name) }
    return button
  }
}
