import Foundation

/// The compiler's index of the build that runs: which declarations each source file defines and uses.
///
/// The format is not public. `libIndexStore` reads it, which comes with each toolchain, so this uses the one whose runtime
/// is loaded.
final class IndexStore {
  /// A place where a source file names a declaration.
  struct Occurrence {
    let file: String
    let line: Int
    let symbol: String
    let identifier: String
    let isDefinition: Bool
    let isReference: Bool
  }

  private typealias Pointer = UnsafeMutableRawPointer
  // A string of the library has the layout of an `iovec`, and Swift code may declare no structs of C.
  private typealias Text = iovec
  private typealias Create =
    @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Pointer?>?) -> Pointer?
  private typealias Open =
    @convention(c) (Pointer, UnsafePointer<CChar>, UnsafeMutablePointer<Pointer?>?) -> Pointer?
  private typealias Visit = @convention(c) (Pointer?, Pointer?) -> Bool
  private typealias VisitAll = @convention(c) (Pointer, Pointer?, Visit) -> Bool
  private typealias VisitNames =
    @convention(c) (Pointer, UInt32, Pointer?, @convention(c) (Pointer?, Text) -> Bool) -> Bool
  private typealias GetText = @convention(c) (Pointer?) -> Text
  private typealias GetPosition =
    @convention(c) (Pointer?, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void

  private let library: Pointer
  private let store: Pointer
  private var names: [String] = []
  private var file = ""
  private var occurrences: [Occurrence] = []

  /// `nil` if the build has no index, or the toolchain no reader for it.
  init?() {
    guard let program = Bundle.main.executableURL?.deletingLastPathComponent() else { return nil }
    let folder = program.appending(path: "index/store").path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: folder),
      let library = dlopen(Self.reader.path(percentEncoded: false), RTLD_NOW),
      let create = dlsym(library, "indexstore_store_create"),
      let store = unsafeBitCast(create, to: Create.self)(folder, nil)
    else { return nil }
    self.library = library
    self.store = store
  }

  private static var reader: URL {
    // `String(contentsOfFile:)` reads only the first page of such a file.
    let maps = FileHandle(forReadingAtPath: "/proc/self/maps").flatMap { try? $0.readToEnd() } ?? Data()
    let runtime = String(decoding: maps, as: UTF8.self).split(separator: "\n").first {
      $0.hasSuffix("/libswiftCore.so")
    }
    let path = runtime.map { String($0.drop { $0 != "/" }) } ?? ""
    return URL(filePath: path).appending(path: "../../../libIndexStore.so").standardized
  }

  /// What the files in `folder` of the repository define and use. Files that the last build did not have are left out.
  func occurrences(in folder: String) -> [Occurrence] {
    let root = Repository.root.appending(path: folder).path(percentEncoded: false)
    occurrences = []
    for unit in units() {
      guard let reader = function("unit_reader_create", Open.self)(store, unit, nil) else { continue }
      let main = string(function("unit_reader_get_main_file", GetText.self)(reader))
      let path = URL(filePath: main).resolvingSymlinksInPath().path(percentEncoded: false)
      if path.hasPrefix(root + "/"), FileManager.default.fileExists(atPath: path) {
        file = String(path.dropFirst(root.count + 1))
        for record in records(of: reader) { read(record) }
      }
      function("unit_reader_dispose", (@convention(c) (Pointer) -> Void).self)(reader)
    }
    return occurrences
  }

  private func units() -> [String] {
    names = []
    _ = function("store_units_apply_f", VisitNames.self)(store, 1, context) { context, name in
      let index = Unmanaged<IndexStore>.fromOpaque(context!).takeUnretainedValue()
      index.names.append(index.string(name))
      return true
    }
    return names
  }

  private func records(of unit: Pointer) -> [String] {
    names = []
    _ = function("unit_reader_dependencies_apply_f", VisitAll.self)(unit, context) { context, dependency in
      let index = Unmanaged<IndexStore>.fromOpaque(context!).takeUnretainedValue()
      let kind = index.function("unit_dependency_get_kind", (@convention(c) (Pointer?) -> Int32).self)
      let name = index.function("unit_dependency_get_name", GetText.self)
      if kind(dependency) == 2 { index.names.append(index.string(name(dependency))) }
      return true
    }
    return names
  }

  private func read(_ record: String) {
    guard let reader = function("record_reader_create", Open.self)(store, record, nil) else { return }
    _ = function("record_reader_occurrences_apply_f", VisitAll.self)(reader, context) { context, occurrence in
      let index = Unmanaged<IndexStore>.fromOpaque(context!).takeUnretainedValue()
      index.add(occurrence)
      return true
    }
    function("record_reader_dispose", (@convention(c) (Pointer) -> Void).self)(reader)
  }

  private func add(_ occurrence: Pointer?) {
    let symbol = function("occurrence_get_symbol", (@convention(c) (Pointer?) -> Pointer?).self)(occurrence)
    let roles = function("occurrence_get_roles", (@convention(c) (Pointer?) -> UInt64).self)(occurrence)
    var (line, column): (UInt32, UInt32) = (0, 0)
    function("occurrence_get_line_col", GetPosition.self)(occurrence, &line, &column)
    occurrences.append(
      Occurrence(
        file: file, line: Int(line), symbol: string(function("symbol_get_name", GetText.self)(symbol)),
        identifier: string(function("symbol_get_usr", GetText.self)(symbol)),
        isDefinition: roles & 1 << 1 != 0, isReference: roles & 1 << 2 != 0))
  }

  private var context: Pointer { Unmanaged.passUnretained(self).toOpaque() }

  private func function<Function>(_ name: String, _: Function.Type) -> Function {
    unsafeBitCast(dlsym(library, "indexstore_" + name), to: Function.self)
  }

  private func string(_ text: Text) -> String {
    String(decoding: UnsafeRawBufferPointer(start: text.iov_base, count: text.iov_len), as: UTF8.self)
  }
}
