import StreamImages
import Studio

// Drawings are made in processes of their own, which are this program, started anew.
ImageWorker.runIfAsked()

let list = Recipe.all.map { "  \($0.name.padded(to: -22))\($0.summary)" }.joined(separator: "\n")
let usage = """
  Runs recipes by their names. Without any it lists them; each is a file of that name.

  Recipes [NAME ...]
    --help                only says this

  \(list)
  """

await Program.run(usage: usage, options: []) { arguments in
  guard !arguments.words.isEmpty else {
    Console.say(list)
    return true
  }
  let recipes = try arguments.words.map { name throws(Arguments.Mistake) in
    guard let recipe = Recipe.all.first(where: { $0.name == name }) else {
      throw Arguments.Mistake("There is no recipe \(name)")
    }
    return recipe
  }
  for recipe in recipes {
    if recipes.count > 1 { Console.say("\(recipe.name): \(recipe.summary)") }
    let kitchen = try Kitchen()
    try await recipe.method(kitchen)
    kitchen.close()
  }
  return true
}
