import Foundation
import StreamImages
import Studio

/// Draws the table – artwork, song, artist, price, and the color of the artwork – and the details of one song.
@MainActor
struct Screen {
  private let terminal = Terminal()

  func show(_ state: SearchModel.State) {
    switch state {
    case .empty: Console.say("  type to search")
    case .searching(let term): Console.say("  searching for \"\(term)\" …")
    case .found(let songs, let term): Console.say("  \(songs.count.of("song")) for \"\(term)\"")
    case .failed(let term, let message): Console.say("  no response for \"\(term)\": \(message)")
    }
  }

  func show(_ table: Table) {
    for (index, row) in table.rows.enumerated() {
      guard let song = row.song else { continue }
      let number = String(table.position + index + 1).padded(to: 3)
      let words = "\(song.title.padded(to: -24))  \(song.artist.padded(to: -24))  $\(song.price)"
      let picture = picture(row.artwork)
      Console.say("  \(number)  \(picture.first ?? "")\(words)  \(label(row.artwork))")
      for line in picture.dropFirst() { Console.say("       \(line)") }
    }
    let hidden = table.songs.count - table.rows.count
    if hidden > 0 { Console.say("       \(hidden) more: /down, /up") }
  }

  /// The details of a song in the table, by its number.
  func show(detailsOf number: Int, in table: Table) {
    guard table.songs.indices.contains(number - 1) else { return Console.say("  there is no song \(number)") }
    let song = table.songs[number - 1]
    Console.say("  \(song.title), by \(song.artist)")
    Console.say("  \(song.length) minutes, $\(song.price), artwork \(song.artwork.lastPathComponent)")
  }

  /// Four lines of eight characters, in a terminal with colors.
  private func picture(_ artwork: Image?) -> [String] {
    guard let colors = terminal.colors else { return [] }
    let small = try? artwork?.resized(to: ResizeTarget(width: 8, height: 8, mode: .fill, crops: true))
    return (small?.lines(colors) ?? Array(repeating: "        ", count: 4)).map { $0 + "  " }
  }

  /// The color in the middle of the artwork.
  private func label(_ artwork: Image?) -> String {
    guard let artwork, let pixel = artwork.pixel(x: artwork.width / 2, y: artwork.height / 2) else {
      return "no artwork"
    }
    let bytes = [pixel.red, pixel.green, pixel.blue].map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return "#" + bytes.joined()
  }
}
