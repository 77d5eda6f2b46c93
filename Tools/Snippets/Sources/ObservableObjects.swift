import Foundation
import Streams

class Document: ObservableObject {
  @Published var title = "untitled"
  @Published var pages = 1
  var isPrinted = false

  init() {}
}

final class SignedDocument: Document {
  @Published var signature: String?
  let created = 2024
}

/// Sends by hand.
final class Account: ObservableObject {
  private(set) var balance = 0

  func deposit(_ amount: Int) {
    objectWillChange.send()
    balance += amount
  }
}

/// Has a publisher of its own.
final class Player: ObservableObject {
  let objectWillChange = PassthroughSubject<String, Never>()
  var level = 1 { willSet { objectWillChange.send("level \(level) -> \(newValue)") } }
}

/// Passes the changes of its children on.
final class Library: ObservableObject {
  @Published private(set) var documents: [Document] = []
  private var subscriptions: [ObjectIdentifier: AnyCancellable] = [:]

  func add(_ document: Document) {
    documents.append(document)
    subscriptions[ObjectIdentifier(document)] = document.objectWillChange
      .sink { [weak self] in self?.objectWillChange.send() }
  }
}

/// What a user interface does: renders again after a change.
private final class View<Model: ObservableObject> {
  private var subscription: AnyCancellable?
  private(set) var changes = 0

  init(_ model: Model) {
    subscription = model.objectWillChange.sink { [weak self] _ in self?.changes += 1 }
  }
}

private protocol Editor: ObservableObject {
  var text: String { get set }
}

private final class PlainEditor: Editor { @Published var text = "" }

private func countChanges<E: Editor>(of editor: E) -> Int {
  let view = View(editor)
  editor.text = "a"
  editor.text += "b"
  return view.changes
}

@MainActor
func observableObjects() async {
  let document = SignedDocument()
  let view = View(document)
  document.title = "Letter"
  document.pages += 1
  document.signature = "Ada"
  document.isPrinted = true
  print("changes of the document:", view.changes)

  var bag = Set<AnyCancellable>()
  document.objectWillChange
    .sink { [unowned document] in print("will change, title is still \(document.title)") }
    .store(in: &bag)
  document.title = "Memo"
  bag.removeAll()
  document.title = "Note"

  let account = Account()
  account.objectWillChange.sink { print("balance was \(account.balance)") }.store(in: &bag)
  account.deposit(5)
  account.deposit(5)

  let player = Player()
  player.objectWillChange.sink { print($0) }.store(in: &bag)
  player.level += 1

  let library = Library()
  let shelf = View(library)
  library.add(document)
  library.add(Document())
  document.pages = 7
  library.documents[1].title = "Second"
  print("changes of the library:", shelf.changes)

  let one: ObservableObjectPublisher = document.objectWillChange
  print("the same each time:", one === document.objectWillChange)
  print("through a protocol:", countChanges(of: PlainEditor()))

  let models: [any ObservableObject] = [document, account, player]
  print(models.count, "models")
}
