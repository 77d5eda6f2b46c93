import CGTK

/// Names a widget for screen readers. GTK's function takes a variable number of arguments, which Swift cannot pass.
@MainActor
func setAccessibleLabel(of widget: OpaquePointer, _ label: String) {
  var property = GTK_ACCESSIBLE_PROPERTY_LABEL
  var value = GValue()
  g_value_init(&value, g_type_from_name("gchararray"))
  g_value_set_string(&value, label)
  gtk_accessible_update_property_value(widget, 1, &property, &value)
  g_value_unset(&value)
}

/// Sets a property that is on or off.
func setProperty(_ name: String, of object: UnsafeMutableRawPointer, to isOn: Bool = true) {
  var value = GValue()
  g_value_init(&value, g_type_from_name("gboolean"))
  g_value_set_boolean(&value, isOn ? 1 : 0)
  g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
  g_value_unset(&value)
}
