import Foundation
import ImageCodecs

// Thumbnails: what they cost here, and with `vipsthumbnail`, in rounds that take turns; each figure is the median.
//
//   Thumbnails compare FOLDER             paints what is missing, and compares
//   Thumbnails shrink FOLDER SIDE FILE…   makes thumbnails; what `compare` measures
//   Thumbnails isolated FOLDER            what it costs to decode in worker processes
//   Thumbnails quality SIDE FILE…         how close they are to all pixels, in decibels

// One of them is a worker, for `isolated`.
ImageWorker.runIfAsked()

let arguments = CommandLine.arguments.dropFirst()
guard let work = arguments.first, let folder = arguments.dropFirst().first else {
  print("thumbnails: what, and where? Use Scripts/benchmark thumbnails")
  exit(2)
}
func files(from position: Int) -> [URL] { arguments.dropFirst(position).map { URL(fileURLWithPath: $0) } }

switch work {
case "shrink":
  let side = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 320
  try Shrinking.run(files(from: 3), into: URL(fileURLWithPath: folder), side: side)
case "isolated": try Isolation.compare(in: URL(fileURLWithPath: folder))
case "paint": try Gallery(folder: URL(fileURLWithPath: folder)).paintWhatIsMissing()
case "quality": for file in files(from: 2) { print(try Shrinking.quality(file, side: Int(folder) ?? 320)) }
default: try compare(in: URL(fileURLWithPath: folder))
}
