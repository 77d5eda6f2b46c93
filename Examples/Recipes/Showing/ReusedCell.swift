import Foundation
import StreamImages
import Studio

extension Recipe {
  static let reusedCell = Recipe(
    "reusedCell", "a cell that is reused before its first image arrives"
  ) {
    kitchen in
    let urls = PassthroughSubject<URL, Never>()
    let (slow, quick) = (try kitchen.endless(), try kitchen.painting(2))
    let (pipeline, failureImage) = (kitchen.pipeline, kitchen.failureImage)

    // What fails is replaced inside: out here it would end the cell.
    let pictures =
      urls
      .map { url in pipeline.imagePublisher(with: url).replaceError(withImage: failureImage) }
      .switchToLatest()
      .prefix(2)
    // Once the cell listens, it is used for one picture, and for another before that is there.
    Task {
      urls.send(slow)
      await kitchen.order(of: slow)
      urls.send(kitchen.missing)
    }
    await pictures.run { picture in
      kitchen.say("the cell shows \(picture.size)")
      urls.send(quick)
    }
    await kitchen.departure(from: slow)
    kitchen.say("the first load was given up")
  }
}
