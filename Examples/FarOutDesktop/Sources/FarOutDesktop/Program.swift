import CGTK
import Dispatch
import Foundation
import StreamImages
import StreamsGLib
import StreamsInspector

/// The application, from its start to its end.
@MainActor
final class Program {
  private let options: Options
  private let trace: Trace?
  private let origin: Origin
  private let gallery: Gallery
  private let application: UnsafeMutablePointer<GtkApplication>
  private var window: MainWindow?
  private var journal: Journal?
  private var watch: CellWatch?
  private var status: Int32 = 0
  private var subscriptions: Set<AnyCancellable> = []

  init(_ options: Options) throws {
    self.options = options
    // Both begin before there is a stream.
    if options.inspects { try StreamInspector.start() }
    trace = try options.trace.map { try Trace(to: $0) }
    journal = try options.log.map { try Journal($0) }
    origin = try Origin(count: options.count, folder: options.folder.appending(path: "origin"))
    gallery = Gallery(
      at: origin.address,
      disk: DataCache(directory: options.folder.appending(path: "cache"), sizeLimit: 256 << 20),
      memoryLimit: options.memoryLimit)
    trace?.add(gallery.pipeline)
    // One of its own each time: another window that is open is no business of this one.
    application = gtk_application_new("org.example.FarOutDesktop", G_APPLICATION_NON_UNIQUE)
  }

  /// - Returns: The exit status.
  /// - Throws: The reason why a part of the trace could not be written.
  func run() throws -> Int32 {
    // From here on GTK's loop serves the main actor.
    let mainQueue = MainQueueSource.attach()
    signals(of: UnsafeMutableRawPointer(application), named: "activate")
      .sink { [unowned self] in open() }
      .store(in: &subscriptions)
    let interruptions = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [unowned self] in MainActor.assumeIsolated { close() } }
      source.activate()
      return source
    }
    let base = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
    let failed = g_application_run(base, 0, nil)
    for source in interruptions { source.cancel() }
    mainQueue.cancel()
    g_object_unref(application)
    origin.stop()
    try trace?.finish()
    return failed != 0 ? failed : status
  }

  private func open() {
    guard window == nil else { return }
    Style.load()
    let own = DirectoryLibrary(directory: options.folder.appending(path: "collages"))
    let library = options.library.map { DirectoryLibrary(directory: $0) } ?? own
    let window = MainWindow(application, gallery, PickerModel(gallery, library: library, other: own))
    self.window = window
    // When GTK has destroyed the widgets, nothing here may touch them.
    window.widget.signals("destroy")
      .sink { [unowned self] in (subscriptions, watch, self.window) = ([], nil, nil) }
      .store(in: &subscriptions)
    window.present()
    if options.measures { measure(window) } else if options.watches { observe(window) }
    if journal != nil { record(window) }
  }

  private func measure(_ window: MainWindow) {
    Task {
      let isGood = await Measurement(window, gallery, options).run()
      status = isGood ? 0 : 1
      close()
    }
  }

  /// The application ends with its window.
  private func close() {
    if let window { gtk_window_destroy(window.widget.of(GtkWindow.self)) }
  }

  private func observe(_ window: MainWindow) {
    Task {
      for await found in window.search.$found.values where !found.isEmpty {
        watch = CellWatch(window, gallery, expected: await gallery.signatures(of: found))
        journal?.write("watching", ["photos": found.count])
        break
      }
    }
  }
}

extension Program {
  /// Writes down what happens, for a script that looks on.
  private func record(_ window: MainWindow) {
    window.page.changes
      .sink { [unowned self] cell in
        guard let photo = cell.photo, cell.state == .shown || cell.state == .failed else { return }
        journal?.write(
          cell.state.rawValue,
          ["photo": photo.number, "source": cell.source ?? "", "frame": window.frames.number])
      }
      .store(in: &subscriptions)
    window.detail.$state
      .sink { [unowned self] state in
        journal?.write("detail", ["state": "\(state)", "photo": window.detail.photo?.number ?? 0])
      }
      .store(in: &subscriptions)
    window.picker.$state.sink { [unowned self] in journal?.write("picker", ["state": "\($0)"]) }
      .store(in: &subscriptions)
    window.search.$found
      .sink { [unowned self] found in
        journal?.write("found", ["count": found.count, "searches": window.search.searchCount])
      }
      .store(in: &subscriptions)
    Timer.publish(every: 0.2, on: .main, in: .common).autoconnect()
      .sink { [unowned self] _ in
        let frames = window.frames.figures
        var values: [String: any Sendable] = [
          "frames": frames.count, "inTime": frames.countInTime, "onMainThread": gallery.decoder.onMainThread,
          "cancelled": gallery.traffic.numbers.cancelled, "inFlight": gallery.traffic.numbers.inFlight,
        ]
        if let findings = watch?.findings {
          values["cells"] = findings.cells
          values["images"] = findings.images
          values["wrong"] = findings.wrong
          values["late"] = findings.late
          values["fromMemory"] = findings.fromMemory
        }
        journal?.write("figures", values)
      }
      .store(in: &subscriptions)
  }
}
