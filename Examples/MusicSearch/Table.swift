import StreamImages

/// A window of a few rows on a list of songs. Rows are few and used again, as in any table that scrolls.
@MainActor
final class Table {
  static let rowCount = 5

  let rows = (0..<Table.rowCount).map { _ in Row() }
  /// Whether all rows show what they are to show.
  @Published private(set) var isSettled = true
  private(set) var songs: [Song] = []
  private(set) var position = 0

  private let options: ImageLoadingOptions
  private var loading: Set<Int> = []

  init(_ pipeline: ImagePipeline) {
    var options = ImageLoadingOptions()
    options.pipeline = pipeline
    self.options = options
  }

  func show(_ songs: [Song]) {
    self.songs = songs
    position = 0
    fill()
  }

  /// Moves the window by so many rows, as far as there are songs.
  func scroll(by count: Int) {
    position = max(0, min(position + count, songs.count - rows.count))
    fill()
  }

  /// Rows show the songs they are at now, whatever they showed before.
  private func fill() {
    let visible = songs.dropFirst(position).prefix(rows.count)
    loading = Set(0..<visible.count)
    isSettled = false
    for row in rows.dropFirst(visible.count) { row.clear() }
    for (index, song) in visible.enumerated() {
      rows[index].show(song, options) { [weak self] in
        self?.loading.remove(index)
        self?.settle()
      }
    }
    settle()
  }

  private func settle() {
    if loading.isEmpty, !isSettled { isSettled = true }
  }
}
