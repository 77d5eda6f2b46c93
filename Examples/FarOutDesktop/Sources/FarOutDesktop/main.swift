import CGTK
import CHeap
import Foundation
import StreamImages
import StreamsGTK
import StreamsGLib

// The order of things: what is wanted, the server of the images, the gallery before it, the window before that.
// It ends when the window is closed. 1: something failed, and was said so; 2: the command line makes no sense.

func complain(_ text: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("FarOutDesktop: \(text)\n".utf8))
  exit(status)
}

// Photographs of others are decoded in processes of their own, which are this program again.
ImageWorker.runIfAsked()

let options: Options
do throws(Options.Mistake) {
  options = try Options(CommandLine.arguments.dropFirst())
} catch {
  complain("\(error.message). Try --help.", status: 2)
}
if options.wantsHelp {
  print(Options.usage)
  exit(0)
}
return_pixels()
do {
  let program = try Program(options)
  exit(try program.run())
} catch let failure as Origin.Failure {
  complain(failure.message, status: 1)
} catch {
  complain("\(error)", status: 1)
}
