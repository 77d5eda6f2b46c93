import Foundation

/// The frame of a program: help, what went wrong, and the exit status.
package enum Program {
  /// Runs `body`, and ends the process.
  ///
  /// 0: it returned `true`. 1: something failed, and was said so. 2: the command line makes no sense.
  @MainActor
  package static func run(
    usage: String, options: [String], _ body: @MainActor (Arguments) async throws -> Bool
  ) async -> Never {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst(), options: options)
      guard !arguments.wantsHelp else {
        Console.say(usage)
        exit(0)
      }
      exit(try await body(arguments) ? 0 : 1)
    } catch let mistake as Arguments.Mistake {
      Console.complain("\(mistake.message). Try --help.")
      exit(2)
    } catch let error as CocoaError {
      Console.complain("\(error.filePath.map { "\($0): " } ?? "")\(error.localizedDescription)")
      exit(1)
    } catch {
      Console.complain("\(error)")
      exit(1)
    }
  }
}
