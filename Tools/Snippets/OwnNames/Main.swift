/// What was called, in order: each declaration of this program notes its name.
nonisolated(unsafe) private var called: [String] = []

func note(_ name: String = #function) { called.append(name) }

/// Runs `calls`, and prints which of this program's own declarations they reached.
func show(_ title: String, _ calls: () -> Void) {
  called = []
  calls()
  print("\(title): \(called.joined(separator: " "))")
}

/// A program that declares all of CombineExt's names itself, and some of its own. They are all called, and what is called
/// is what it declares, not what the library has under the same names.
@main
struct Main {
  static func main() {
    types()
    joining()
    shaping()
    terminals()
    schedulers()
    others()
    sinks()
    optionalSinks()
  }
}
