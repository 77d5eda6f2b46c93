@main
@MainActor
struct Program {
  static func main() async throws {
    let shop = Shop(
      answers: [
        "products": """
        [{"id": 1, "title": "Lamp", "price": 2400, "tags": ["light"]},
         {"id": 2, "title": "Chair", "price": 7900, "tags": ["wood", "seat"]},
         {"id": 3, "title": "Table", "price": 12900, "tags": ["wood"]}]
        """,
        "reviews/1": """
        [{"product": 1, "stars": 5, "text": "Bright"}, {"product": 2, "stars": 2, "text": "Hard"}]
        """,
        "users/ada": #"{"name": "ada", "isMember": true}"#,
        "pay": "ok",
        "manual": "…",
      ])
    try await shop.visit()
    print(shop.report.joined(separator: "\n"))
  }
}
