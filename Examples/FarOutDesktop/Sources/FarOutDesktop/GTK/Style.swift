import CGTK

/// How the window looks.
enum Style {
  @MainActor
  static func load() {
    setProperty("gtk-application-prefer-dark-theme", of: UnsafeMutableRawPointer(gtk_settings_get_default()!))
    let provider = gtk_css_provider_new()!
    gtk_css_provider_load_from_data(provider, css, -1)
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(provider)
  }

  private static let css = """
    window.solid-csd { padding: 0; border: none; box-shadow: none; }
    window, .sky { background-color: #101218; color: #e8eaf0; }
    headerbar { background: #181b24; color: #e8eaf0; box-shadow: none; border-bottom: 1px solid #262a36; }
    gridview { background-color: #101218; padding: 6px; }
    gridview > child { padding: 5px; margin: 0; min-height: 0; border-radius: 8px; background: none; }
    gridview > child:hover { background-color: #1c2030; }
    gridview > child:focus { outline: 2px solid #6f8cff; outline-offset: -2px; }
    .caption { font-size: 12px; color: #aeb4c4; }
    .badge { font-size: 10px; padding: 1px 6px; border-radius: 8px; background-color: #10121a; color: #cfd6e6; }
    .badge.memory { color: #8fe3a4; }
    .badge.disk { color: #8fc4ff; }
    .badge.network { color: #ffcf8a; }
    .retry { font-size: 12px; color: #ffb4b4; }
    .picked { font-size: 20px; font-weight: bold; color: #10121a; background-color: #8fe3a4; border-radius: 6px;
      padding: 0 9px; }
    .panel { background-color: #151822; border-left: 1px solid #262a36; }
    .panel label { font-size: 12px; }
    .name { color: #8b93a8; }
    .figure { font-feature-settings: "tnum"; color: #e8eaf0; }
    .heading { font-weight: bold; color: #cfd6e6; }
    .bar { background-color: #181b24; border-top: 1px solid #262a36; }
    .large { background-color: #08090d; }
    .tile { background-color: #232838; }
    .state { color: #aeb4c4; }
    .problem { color: #ffb4b4; }
    """
}
