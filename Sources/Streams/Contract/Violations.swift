internal import CThreads

/// The traps of the module. If a law was broken, the message names it.
@usableFromInline
package enum Violation {
  /// Law P3: a demand is never negative.
  @usableFromInline
  static func negativeDemand(_ value: Int) -> Never {
    fatalError("Law P3 broken: a demand of \(value) values. A demand is never negative.")
  }

  /// Law P3: a count is never negative.
  @usableFromInline
  package static func negativeCount(_ what: String, _ value: Int) -> Never {
    fatalError("Law P3 broken: \(what) is \(value). It is never negative.")
  }

  /// Law P3: a group has something in it.
  @usableFromInline
  package static func emptyGroup(_ count: Int) -> Never {
    fatalError("Law P3 broken: values are to be collected in groups of \(count). A group has one at least.")
  }

  /// Law P3: a window shows how values follow each other.
  @usableFromInline
  package static func smallWindow(_ size: Int) -> Never {
    fatalError("Law P3 broken: a window of \(size) values. A window shows two at least.")
  }

  /// Law P3: there is no place after the last.
  @usableFromInline
  static func lastPlace() -> Never {
    fatalError("Law P3 broken: an output range includes Int.max. Every place is less than that.")
  }

  /// Law P3: a recording takes nothing after its end.
  static func recordedAfterEnd() -> Never {
    fatalError("Law P3 broken: something was recorded after the end of a recording.")
  }

  /// A trap that the user wants: see `assertNoFailure`.
  @usableFromInline
  static func unexpectedFailure(
    _ failure: any Error, _ prefix: String, file: StaticString, line: UInt
  ) -> Never {
    let words = "\(prefix.isEmpty ? "" : prefix + ": ")a publisher failed that must not: \(failure)"
    fatalError("\(words)", file: file, line: line)
  }

  /// A stop that the user wants: see `breakpoint`.
  @usableFromInline
  static func breakpoint() { cthreads_trap() }

  /// Law P3: a request for no values is a mistake of the caller.
  @usableFromInline
  package static func zeroDemand(_ stage: String) -> Never {
    fatalError("Law P3 broken: \(stage) received a request for no values. Request at least one.")
  }

  /// A trap that the user wants: see `UnimplementedScheduler`.
  package static func unimplementedScheduler(_ prefix: String, _ use: String) -> Never {
    fatalError("\(prefix.isEmpty ? "" : prefix + ": ")a scheduler was used that must not be: \(use)")
  }

  /// Law T5: a closure that belongs to an actor runs there.
  static func wrongActor(_ name: String) -> Never {
    fatalError("Law T5 broken: a signal for a closure of \(name) was sent from outside it.")
  }

  /// No law: an engine is in a state that it rules out.
  @inlinable @inline(__always)
  package static func impossible() -> Never {
    preconditionFailure("An engine is in a state that it rules out.")
  }

  /// `@Published` lives in classes: a property of a value has no enclosing object to notify.
  @usableFromInline
  package static func publishedOutsideClass() -> Never {
    fatalError("@Published is only available on properties of classes.")
  }
}

extension Subscribers.Demand {
  /// Traps if this is no demand at all.
  @inlinable
  package func requireSome(of stage: @autoclosure () -> String) {
    if rawValue == 0 { Violation.zeroDemand(stage()) }
  }
}
