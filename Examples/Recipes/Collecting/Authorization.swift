import Dispatch
import Foundation
import StreamImages
import Studio

extension Recipe {
  static let authorization = Recipe("authorization", "who may not add photographs is told so, and taken back")
  { kitchen in
    let writable = FileManager.default.temporaryDirectory.appending(path: "Recipes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: writable) }

    for folder in [writable, URL(fileURLWithPath: "/dev/null/Pictures")] {
      let isAuthorized = PhotoWriter.requestAuthorization(in: DirectoryLibrary(directory: folder))
      let steps = isAuthorized.flatMap { isAuthorized -> AnyPublisher<String, Never> in
        if isAuthorized { return Just("the albums are shown").eraseToAnyPublisher() }
        return Just("and back, after a moment")
          .delay(for: .milliseconds(50), scheduler: DispatchQueue.main)
          .prepend("no access to the photographs")
          .eraseToAnyPublisher()
      }
      await steps.run { step in kitchen.say(step) }
    }
  }
}
