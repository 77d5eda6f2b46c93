import CGTK
import Foundation
import StreamImages
import StreamsExtras
import StreamsGLib
import StreamsGTK

// A window with the images of a folder: Pictures FOLDER

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".")
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
let all = files.sorted { $0.lastPathComponent < $1.lastPathComponent }
let terms = CurrentValueSubject<String, Never>("")
let shown = ListItems<URL>()

let application = gtk_application_new("org.example.Pictures", G_APPLICATION_DEFAULT_FLAGS)!
let mainQueue = MainQueueSource.attach()
var subscriptions: Set<AnyCancellable> = []

terms
  .debounce(for: .milliseconds(250), scheduler: GMainContextScheduler.main)
  .map { term in all.filter { term.isEmpty || $0.lastPathComponent.localizedCaseInsensitiveContains(term) } }
  .sinkOnMain { shown.replace(with: $0) }
  .store(in: &subscriptions)

signals(of: application, named: "activate").sinkOnMain {
  let factory = cellFactory(of: shown) {
    PictureCell(width: 160, height: 120)
  } bind: { cell, file in
    cell.show(ImageRequest(url: file, processors: [.resize(size: CGSize(width: 160, height: 120))]))
  }
  let grid = gtk_grid_view_new(gtk_no_selection_new(shown.newReference()), factory)!
  let scrolled = gtk_scrolled_window_new()!
  gtk_scrolled_window_set_child(scrolled.opaque, grid)
  numbers(of: grid, named: "activate").sink { position in
    if let file = shown[Int(position)] { print(file.path) }
  }.store(in: &subscriptions)

  let search = gtk_search_entry_new()!
  signals(of: search, named: "search-changed").sink {
    terms.send(String(cString: gtk_editable_get_text(search.opaque)))
  }.store(in: &subscriptions)
  let bar = gtk_header_bar_new()!
  gtk_header_bar_set_title_widget(bar.opaque, search)

  let window = gtk_application_window_new(application)!
  gtk_window_set_default_size(window.of(GtkWindow.self), 900, 600)
  gtk_window_set_titlebar(window.of(GtkWindow.self), bar)
  gtk_window_set_child(window.of(GtkWindow.self), scrolled)
  gtk_window_present(window.of(GtkWindow.self))
}.store(in: &subscriptions)

// Arguments are not passed on: GTK would take them for files to open.
exit(g_application_run(application.of(GApplication.self), 0, nil))
