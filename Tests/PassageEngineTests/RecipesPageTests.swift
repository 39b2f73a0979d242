import Foundation
import Passage
import PassageEngine
import TestSupport
import Testing

/// The page of recipes: every mapping gives what the page says, in every lane.
@Suite struct RecipesPageTests {
  private static func text(_ path: String) -> String {
    let file = URL(filePath: Repository.root).appending(path: path)
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  static let page = text("Sources/Passage/Passage.docc/Recipes.md")
  static let recipes = Recipe.all(of: page)

  @Test func `the page has recipes for the usual needs`() {
    #expect(Self.recipes.count >= 45)
    #expect(Self.recipes.filter { $0.rows.isEmpty }.map(\.title) == [])
  }

  @Test(arguments: recipes)
  func `a recipe gives what the page says`(recipe: Recipe) throws {
    #expect(try recipe.differences(RecipePolicies.all) == [])
  }

  @Test(arguments: recipes.flatMap(\.policies))
  func `a policy of the page is the one that the recipe runs`(code: String) {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    let policy = lines.drop { $0.hasPrefix("import ") || $0.isEmpty }.joined(separator: "\n")
    #expect(Self.text("Tests/PassageEngineTests/Support/RecipePolicies.swift").contains(policy))
  }

  /// What the page lists as reserved words that are never the name of a property.
  static let reserved: [String] = {
    let start = page.range(of: "### Reserved words")?.upperBound ?? page.endIndex
    let text = page[start...].prefix(
      upTo: page[start...].range(of: "`FUNCTION`")?.lowerBound ?? start)
    return PredicatesPageTests.spans(String(text)).filter { $0.allSatisfy(\.isUppercase) }
  }()

  @Test func `the page lists the reserved words`() {
    #expect(Set(Self.reserved).count == Self.reserved.count)
    #expect(Set(Self.reserved) == FormatParser.reservedWords)
  }

  @Test(arguments: reserved)
  func `a reserved word is a property's name with a sign before it`(word: String) throws {
    let expression = try FormatParser.expression("$source.#\(word.lowercased())")
    #expect(expression == .path(.variable("source"), word.lowercased()))
  }
}
