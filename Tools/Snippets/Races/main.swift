import Dispatch
import Foundation
import Streams

// A view model whose transforms use only what they are given, fed from other threads.
if CommandLine.arguments.contains("Newsroom") {
  Task { @MainActor in
    await newsroom()
    exit(0)
  }
  RunLoop.main.run()
}

let numbers = PassthroughSubject<Int, Never>()
let library = Library()
library.follow(numbers) { _ in }
let sent = DispatchGroup()
let counted = count(numbers) {
  DispatchQueue.global().async(group: sent) { for number in 1...3 { numbers.send(number) } }
} isOver: {
  library.change()
  return sent.wait(timeout: .now()) == .success
}
print(counted > 0)
