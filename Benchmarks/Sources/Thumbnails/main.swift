import Foundation
import ImageCodecs

// Thumbnails: what they cost here, and with `vipsthumbnail`, in rounds that take turns; each figure is the median.
//
//   Thumbnails compare FOLDER         paints what is missing, and compares
//   Thumbnails shrink FOLDER FILE…    makes thumbnails; what `compare` measures

let arguments = CommandLine.arguments.dropFirst()
guard let work = arguments.first, let folder = arguments.dropFirst().first else {
  print("thumbnails: what, and where? Use Scripts/benchmark thumbnails")
  exit(2)
}
let files = arguments.dropFirst(2).map { URL(fileURLWithPath: $0) }

switch work {
case "shrink": try Shrinking.run(Array(files), into: URL(fileURLWithPath: folder))
case "paint": try Gallery(folder: URL(fileURLWithPath: folder)).paintWhatIsMissing()
case "quality": for file in files { print(try Shrinking.quality(file)) }
default: try compare(in: URL(fileURLWithPath: folder))
}
