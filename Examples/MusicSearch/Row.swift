import StreamImages

/// A row of the table, used for one song after another.
@MainActor
final class Row: ImageDisplaying {
  let imageSlot = ImageSlot()
  private(set) var song: Song?
  private(set) var artwork: Image?

  /// Shows a song, and its artwork as soon as that is there.
  ///
  /// The row may show another song by then. `loadImage` sees to it that the artwork of this one does not come any more.
  func show(_ song: Song, _ options: ImageLoadingOptions, completion: @escaping @MainActor () -> Void) {
    self.song = song
    let request = ImageRequest(url: song.artwork, processors: [.resize(width: 16)])
    loadImage(with: request, options: options, into: self) { _ in completion() }
  }

  /// Shows nothing.
  func clear() {
    cancelRequest(for: self)
    (song, artwork) = (nil, nil)
  }

  func display(_ display: ImageDisplay) { artwork = display.role == .picture ? display.image : nil }
}
