import CGTK
import Foundation
import StreamImages
import StreamsGLib
import StreamsGTK

/// Looks at every cell after every frame, and compares what it shows with the photo it is for.
///
/// What it should show was loaded and decoded beside the pipeline, and without its caches. What it does show is read from the
/// texture that GTK has drawn.
@MainActor
final class CellWatch {
  struct Findings: Codable {
    var frames = 0
    /// Cells looked at, in all frames.
    var cells = 0
    /// Images compared: each once, as textures do not change.
    var images = 0
    /// Cells that showed the image of another photo.
    var wrong = 0
    /// Images that were in memory when their cell was bound, and were not in its first frame.
    var late = 0
    /// Images that were in memory when their cell was bound.
    var fromMemory = 0
  }

  private(set) var findings = Findings()
  private(set) var report: [String] = []

  private let window: MainWindow
  private let expected: [Int: Signature]
  private let placeholder = Artwork.placeholder.map { Signature($0) }
  private let failure = Artwork.failure.map { Signature($0) }
  private var compared: [ObjectIdentifier: (texture: GObjectReference, photo: Photo)] = [:]
  private var isInMemory: Set<ObjectIdentifier> = []
  private var subscriptions: Set<AnyCancellable> = []

  /// Two images of one photo, decoded in different ways, differ by less than this; those of two photos by more.
  static let tolerance = 6.0

  init(_ window: MainWindow, _ gallery: Gallery, expected: [Int: Signature]) {
    self.window = window
    self.expected = expected
    window.frames.painted.sink { [unowned self] in look() }.store(in: &subscriptions)
    window.page.changes
      .sink { [unowned self] cell in
        let key = ObjectIdentifier(cell)
        switch cell.state {
        case .empty: isInMemory.remove(key)
        case .loading:
          if let photo = cell.photo, gallery.pipeline.cache[gallery.thumbnail(of: photo)] != nil {
            isInMemory.insert(key)
            findings.fromMemory += 1
          }
        case .shown, .failed: break
        }
      }
      .store(in: &subscriptions)
  }

  private func look() {
    findings.frames += 1
    for cell in window.page.visibleCells {
      guard let photo = cell.photo else { continue }
      findings.cells += 1
      let key = ObjectIdentifier(cell)
      if isInMemory.remove(key) != nil, cell.state != .shown {
        findings.late += 1
        report.append("\(photo.title) was in memory, and is \(cell.state) in its first frame")
      }
      guard let texture = gtk_picture_get_paintable(cell.target.widget.opaque) else { continue }
      if let last = compared[key], last.texture.pointer == UnsafeMutableRawPointer(texture),
        last.photo == photo
      {
        continue
      }
      compared[key] = (GObjectReference(texture), photo)
      compare(cell, photo, Signature(texture: texture))
    }
  }

  private func compare(_ cell: PhotoCell, _ photo: Photo, _ shown: Signature) {
    let right =
      switch cell.state {
      case .shown: expected[photo.number]
      case .failed: failure
      case .loading, .empty: placeholder
      }
    guard let right else { return }
    findings.images += 1
    let distance = right.distance(to: shown)
    guard distance > Self.tolerance else { return }
    findings.wrong += 1
    report.append("\(photo.title), \(cell.state), shows something else (\(Int(distance)))")
  }
}

extension Gallery {
  /// What the thumbnails should look like, without pipeline and caches.
  func signatures(of photos: [Photo]) async -> [Int: Signature] {
    var network = CurlLoader.Configuration()
    network.proxy = .none
    let loader = SchemeLoader(network: CurlLoader(network))
    let target = ResizeTarget(
      width: Double(Self.cell.width), height: Double(Self.cell.height), crops: true)
    var signatures: [Int: Signature] = [:]
    for photo in photos {
      // Asked for like this, none fails.
      guard let url = small(photo).url?.appending(queryItems: [URLQueryItem(name: "as", value: "reference")]),
        let data = try? await loader.data(for: DataRequest(url: url)).body,
        let image = try? ImageDecoder.decode(data).resized(to: target)
      else { continue }
      signatures[photo.number] = Signature(image)
    }
    return signatures
  }
}
