import CGTK
import Foundation
import StreamImages
import StreamsGLib
import StreamsGTK

// A window with one image: OneImage URL

let url = URL(string: CommandLine.arguments.dropFirst().first ?? "")

let application = gtk_application_new("org.example.OneImage", G_APPLICATION_DEFAULT_FLAGS)!
let mainQueue = MainQueueSource.attach()
let picture = FadingPicture()

let activation = signals(of: application, named: "activate").sink {
  let window = gtk_application_window_new(application)!
  gtk_window_set_default_size(window.of(GtkWindow.self), 640, 480)
  gtk_window_set_child(window.of(GtkWindow.self), picture.widget)
  gtk_window_present(window.of(GtkWindow.self))

  var options = ImageLoadingOptions()
  options.transition = .crossDissolve(.milliseconds(300))
  loadImage(with: url, options: options, into: picture) { result in
    if case .failure(let error) = result { print(error) }
  }
}

exit(g_application_run(application.of(GApplication.self), 0, nil))
