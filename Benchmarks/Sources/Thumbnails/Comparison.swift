import Foundation

/// One kind of photographs, shrunk by both.
struct Comparison {
  let name: String
  let files: [URL]
  let rounds: Int
  var ours: [Cost] = []
  var theirs: [Cost] = []

  init(_ name: String, _ files: [URL], rounds: Int) {
    self.name = name
    self.files = files
    self.rounds = rounds
  }

  /// How many times more processor time they take.
  var ratio: Double { Cost.median(theirs).processor / Cost.median(ours).processor }

  mutating func run(in folder: URL) throws {
    let output = folder.appendingPathComponent("out").path
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let paths = files.map(\.path)
    for _ in 0..<rounds {
      guard let mine = Cost.of(CommandLine.arguments[0], ["shrink", output] + paths),
        let other = Cost.of("vipsthumbnail", ["--size", "320x320", "-o", output + "/vips-%s.jpg"] + paths)
      else {
        print("thumbnails: \(name) could not be shrunk; is vipsthumbnail there?")
        exit(1)
      }
      ours.append(mine)
      theirs.append(other)
    }
  }

  func row(quality: Double) -> String {
    let mine = Cost.median(ours)
    let other = Cost.median(theirs)
    let count = Double(files.count)
    let cells = [
      name, "\(files.count)", text(mine.processor / count), text(other.processor / count),
      String(format: "%.2f", ratio), text(mine.memory), text(other.memory), text(quality),
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
    Comparison("12 MP baseline", gallery.baseline, rounds: 3),
    Comparison("100 MP baseline", [gallery.huge], rounds: 5),
    Comparison("12 MP progressive", gallery.progressive, rounds: 5),
    Comparison("100 MP progressive", [gallery.hugeProgressive], rounds: 5),
  ]
  for index in kinds.indices { try kinds[index].run(in: folder) }
  print("| | files | ms each | vipsthumbnail | ratio | MB | vipsthumbnail | dB |")
  print("|---|---|---|---|---|---|---|---|")
  for kind in kinds { print(kind.row(quality: try Shrinking.quality(kind.files[0]))) }
  let progressive = min(kinds[2].ratio, kinds[3].ratio)
  print(
    String(
      format: "thumbnails: baseline %.2f, huge %.2f, progressive %.2f times vipsthumbnail", kinds[0].ratio,
      kinds[1].ratio, progressive))
}
