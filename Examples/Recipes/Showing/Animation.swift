import Foundation
import LoopbackServer
import StreamImages
import Studio

extension Recipe {
  static let animation = Recipe("animation", "an animated GIF, one frame after another") { kitchen in
    let url = kitchen.serve("spinner.gif", .bytes(spinner, type: "image/gif"))

    let animation = try await kitchen.pipeline.animation(for: url)
    kitchen.say("\(animation.info.size), played for ever: \(animation.plays == nil)")
    // `play(on:)` publishes each frame at its time; `frames` does not wait.
    try await animation.frames.run { frame in
      kitchen.say(frame.image.lines.joined(separator: " ") + " for \(frame.duration)")
    }
  }

  /// A square that moves around a larger one, in four frames.
  private static let spinner =
    Data(
      base64Encoded: """
        R0lGODlhEAAQAPABAAAAAP///yH5BAQZAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAAEAAQAAACGoRvoauIzNyBSyYaLMDZcv153EiW5omm6koW\
        ACH5BAQZAAAALAAAAAAQAAgAAAITjG+gq4jM3IFLJgpswNly/XlYAQAh+QQEGQAAACwIAAAACAAQAAACDYyPqcvtDaKctNqLMy4AIfkEBBkAAAAs\
        AAAIABAACAAAAhOEb6GriMzcgUsmGizA2XL9eVgBADs=
        """) ?? Data()
}

extension Image {
  /// A character for each quarter.
  fileprivate var lines: [String] {
    [height / 4, height * 3 / 4].map { y in
      [width / 4, width * 3 / 4].map { x in (pixel(x: x, y: y)?.red ?? 0) < 128 ? "#" : "." }.joined()
    }
  }
}
