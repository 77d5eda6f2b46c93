import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation

/// What the expressions of the guides are about.
protocol Materials {}

struct Problem: Error {}

final class Target {
  var value = 0
}

extension Materials {
  var numbers: PassthroughSubject<Int, Problem> { PassthroughSubject() }
  var others: PassthroughSubject<Int, Problem> { PassthroughSubject() }
  var never: PassthroughSubject<Int, Never> { PassthroughSubject() }
  var bytes: PassthroughSubject<Data, Never> { PassthroughSubject() }
  var relay: PassthroughRelay<Int> { PassthroughRelay() }
  var property: MutableProperty<Int> { MutableProperty(0) }
  var flag: MutableProperty<Bool> { MutableProperty(true) }
  var scheduler: DispatchQueue { .main }
  var bag: CancelBag { CancelBag() }
  var target: Target { Target() }
  var token: Lifetime.Token { Lifetime.Token() }
  var name: Notification.Name { Notification.Name("moved") }
  var url: URL { URL(filePath: "/") }

  func open() throws(Problem) -> Int { 1 }
}
