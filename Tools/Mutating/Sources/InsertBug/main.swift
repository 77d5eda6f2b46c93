import Foundation
import Mutations

// InsertBug LIST               prints the name and the scenario of each bug of a list, with a tab between
// InsertBug LIST NAME FROM TO  reads the sources of the repository FROM, writes those that have a bug to its copy TO, and
//                              prints their paths

func contents(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

func insert(_ bug: DeliberateBug, from: String, to: String) throws {
  let paths = (FileManager.default.enumerator(atPath: "\(from)/Sources") ?? .init()).map { "Sources/\($0)" }
  for (path, text) in try bug.files(among: paths, { try? contents(of: "\(from)/\($0)") }) {
    try text.write(toFile: "\(to)/\(path)", atomically: true, encoding: .utf8)
    print(path)
  }
}

do {
  let arguments = CommandLine.arguments
  let bugs = try DeliberateBug.list(contents(of: arguments[1]))
  if arguments.count == 2 {
    for bug in bugs { print("\(bug.name)\t\(bug.scenario ?? "")") }
  } else {
    for bug in bugs where bug.name == arguments[2] {
      try insert(bug, from: arguments[3], to: arguments[4])
    }
  }
} catch {
  print(CommandLine.arguments[1], error, separator: ": ")
  exit(1)
}
