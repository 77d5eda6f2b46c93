import Testing

/// Programs that do what the library promises to withstand. `Docs/contributing/attacks.md` lists the promises and the tests.
///
/// A new attack is an extension with a suite of its own, in a folder named after what is attacked. `Scripts/test
/// --filter Attacks` runs all of them.
@Suite("Attacks", .timeLimit(.minutes(20)))
enum Attacks {}
