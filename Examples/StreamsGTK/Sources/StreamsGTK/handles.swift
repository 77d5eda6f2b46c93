public import CGTK

// C casts between classes with macros, which Swift does not see. Classes whose structure is private are `OpaquePointer` in Swift:
// most final ones, such as `GtkPicture`. Others have a type: `GtkWidget`, `GtkBox`, `GtkWindow`.

extension UnsafeMutablePointer {
  /// The same object as one of its base class or of a derived one. Not checked.
  ///
  /// ```swift
  /// gtk_window_present(window.of(GtkWindow.self))
  /// ```
  public func of<Object>(_ type: Object.Type) -> UnsafeMutablePointer<Object> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
  }

  /// The same object for functions of classes that Swift sees as opaque.
  ///
  /// ```swift
  /// gtk_label_set_text(label.opaque, "Loading")
  /// ```
  public var opaque: OpaquePointer { OpaquePointer(self) }
}

extension OpaquePointer {
  /// This object as a widget, of whatever class it is. Not checked.
  public var widget: UnsafeMutablePointer<GtkWidget> { UnsafeMutablePointer(self) }
}
