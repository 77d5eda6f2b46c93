import Foundation

/// One kind of photographs, shrunk by both.
struct Comparison {
  let name: String
  let files: [URL]
  /// What the thumbnails are to fit, in pixels.
  let side: Int
  let rounds: Int
  var ours: [Cost] = []
  var theirs: [Cost] = []

  init(_ name: String, _ files: [URL], side: Int = 320, rounds: Int) {
    self.name = name
    self.files = files
    self.side = side
    self.rounds = rounds
  }

  /// How many times more processor time they take.
  var ratio: Double { Cost.median(theirs).processor / Cost.median(ours).processor }

  mutating func run(in folder: URL) throws {
    let output = folder.appendingPathComponent("out").path
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let paths = files.map(\.path)
    for _ in 0..<rounds {
      guard let mine = Cost.of(CommandLine.arguments[0], ["shrink", output, "\(side)"] + paths),
        let other = Cost.of(
          "vipsthumbnail", ["--size", "\(side)x\(side)", "-o", output + "/vips-%s.jpg"] + paths)
      else {
        print("thumbnails: \(name) could not be shrunk; is vipsthumbnail there?")
        exit(1)
      }
      ours.append(mine)
      theirs.append(other)
    }
  }

  /// How close their thumbnail of the first file is to all of its pixels, resized by Lanczos.
  func theirQuality(in folder: URL) throws -> Double {
    let output = folder.appendingPathComponent("out/vips-quality.png")
    let arguments = ["--size", "\(side)x\(side)", "-o", output.path, files[0].path]
    guard Cost.of("vipsthumbnail", arguments) != nil else { exit(1) }
    return try Shrinking.quality(of: output, from: files[0], side: side)
  }

  func row(quality: Double, theirQuality: Double) -> String {
    let mine = Cost.median(ours)
    let other = Cost.median(theirs)
    let count = Double(files.count)
    let cells = [
      name, "\(side)", "\(files.count)", String(format: "%.2f", mine.processor / count),
      String(format: "%.2f", other.processor / count), String(format: "%.2f", ratio), text(mine.memory),
      text(other.memory), text(quality), text(theirQuality),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func text(_ value: Double) -> String { String(format: "%.1f", value) }
}

func compare(in folder: URL) throws {
  let gallery = Gallery(folder: folder)
  // In a process of its own: this one has to stay small.
  guard Cost.of(CommandLine.arguments[0], ["paint", folder.path]) != nil else { exit(1) }
  var kinds = [
    Comparison("0.1 MP baseline", gallery.web, side: 128, rounds: 5),
    Comparison("0.5 MP baseline", gallery.small, rounds: 5),
    Comparison("2 MP baseline", gallery.screen, rounds: 5),
    Comparison("12 MP baseline", gallery.baseline, rounds: 3),
    Comparison("100 MP baseline", [gallery.huge], rounds: 5),
    Comparison("0.5 MP progressive", gallery.smallProgressive, rounds: 5),
    Comparison("2 MP progressive", gallery.screenProgressive, rounds: 5),
    Comparison("12 MP progressive", gallery.progressive, rounds: 5),
    Comparison("100 MP progressive", [gallery.hugeProgressive], rounds: 5),
  ]
  for index in kinds.indices { try kinds[index].run(in: folder) }
  print(
    "| | to | files | ms each | vipsthumbnail | ratio | MB | vipsthumbnail | dB | vipsthumbnail |")
  print("|---|---|---|---|---|---|---|---|---|---|")
  var worst = Double.infinity
  for kind in kinds {
    let quality = try Shrinking.quality(kind.files[0], side: kind.side)
    worst = min(worst, quality)
    print(kind.row(quality: quality, theirQuality: try kind.theirQuality(in: folder)))
  }
  let ratios = kinds.prefix(4).map { String(format: "%.2f", $0.ratio) }.joined(separator: ", ")
  let progressive = kinds.suffix(4).map(\.ratio).min() ?? 0
  print(
    String(
      format:
        "thumbnails: 0.1, 0.5, 2 and 12 MP %@, 100 MP %.2f, progressive %.2f times vipsthumbnail, %.1f dB",
      ratios, kinds[4].ratio, progressive, worst))
}
