import PassageModels
import PassageValues
import Testing

/// Versions of a model, oldest first, made by hand.
struct ModelSeries: Sendable, CustomTestStringConvertible {
  let name: String
  /// The number of pairs that can only be drafted.
  let drafted: Int
  let models: [Model]

  var testDescription: String { name }

  /// - Parameter versions: the entities of each version, as texts: see ``entity(_:)``.
  init(_ name: String, drafted: Int, _ versions: [String]...) {
    self.name = name
    self.drafted = drafted
    models = versions.enumerated().map { number, entities in
      Model(name: "\(name) \(number + 1)", entities: entities.map { Self.entity($0) })
    }
  }

  /// An entity as text, `Name@Former<Parent property …`. An abstract one begins with `~`. An attribute
  /// is `name:type`, a to-one relationship `name>Entity/inverse`, a to-many one `name>>Entity/inverse`.
  /// A property that is required ends with `!`, and `@former` gives its renaming identifier.
  private static func entity(_ text: String) -> Entity {
    var words = text.split(separator: " ").map(String.init)
    var head = words.removeFirst()
    let isAbstract = head.hasPrefix("~")
    if isAbstract { head.removeFirst() }
    let (rest, parent) = cut(head, "<")
    let (name, former) = cut(rest, "@")
    return Entity(
      name: name, isAbstract: isAbstract, parentName: parent,
      attributes: words.filter { $0.contains(":") }.map { attribute($0) },
      relationships: words.filter { $0.contains(">") }.map { relationship($0) },
      renamingIdentifier: former)
  }

  private static func cut(_ text: String, _ mark: Character) -> (String, String?) {
    let parts = text.split(separator: mark, maxSplits: 1)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  private static func attribute(_ word: String) -> Attribute {
    let isRequired = word.hasSuffix("!")
    let (declaration, former) = cut(isRequired ? String(word.dropLast()) : word, "@")
    let (name, type) = cut(declaration, ":")
    let isOutside = type == "file"
    return Attribute(
      name: name, type: isOutside ? .binary : AttributeType(name: type ?? "") ?? .undefined,
      isOptional: !isRequired, allowsExternalBinaryDataStorage: isOutside,
      renamingIdentifier: former)
  }

  private static func relationship(_ word: String) -> Relationship {
    let isRequired = word.hasSuffix("!")
    let (declaration, former) = cut(isRequired ? String(word.dropLast()) : word, "@")
    let (name, target) = cut(declaration, ">")
    let isToMany = target?.hasPrefix(">") == true
    let (end, inverse) = cut(String((target ?? "").drop { $0 == ">" }), "/")
    return Relationship(
      name: name, destinationEntityName: end, inverseName: inverse, isOptional: !isRequired,
      maximumCount: isToMany ? 0 : 1, renamingIdentifier: former)
  }

  static let all: [ModelSeries] = [
    ModelSeries(
      "diary", drafted: 2, ["Entry day:string"], ["Entry day:date"], ["Entry day:date!"]),
    ModelSeries(
      "shop", drafted: 3, ["Item price:string count:integer64"],
      ["Item price:decimal count:integer64"], ["Item price:decimal count:integer16"],
      ["Item price:double count:integer16"]),
    ModelSeries(
      "switches", drafted: 3, ["Option isOn:string"], ["Option isOn:boolean"],
      ["Option isOn:integer16"], ["Option isOn:string"], ["Option isOn:boolean"]),
    ModelSeries(
      "identifiers", drafted: 2, ["Device id:string"], ["Device id:uuid"], ["Device id:string"]),
    ModelSeries(
      "bookmarks", drafted: 2, ["Bookmark page:string"], ["Bookmark page:uri"],
      ["Bookmark page:string"]),
    ModelSeries(
      "epochs", drafted: 3, ["Event at:date"], ["Event at:double"], ["Event at:date"],
      ["Event at:integer64"]),
    ModelSeries(
      "required", drafted: 1, ["Task"],
      [
        "Task title:string! size:integer32! price:decimal! isDone:boolean! due:date! id:uuid! "
          + "body:binary! page:uri! extra:transformable!"
      ]),
    ModelSeries(
      "became required", drafted: 1, ["Task title:string due:date id:uuid body:binary"],
      ["Task title:string! due:date! id:uuid! body:binary!"]),
    ModelSeries(
      "labels", drafted: 1, ["Row tag:string size:integer16"],
      ["Row size:integer16 tag>Tag/rows", "Tag name:string rows>>Row/tag"]),
    ModelSeries(
      "comma list", drafted: 1, ["Row labels:string"],
      ["Row labels>>Label/rows", "Label title:string rows>>Row/labels"]),
    ModelSeries(
      "addresses apart", drafted: 1, ["Person name:string street:string city:string"],
      [
        "Person name:string address>Address/person",
        "Address street:string city:string person>Person/address",
      ]),
    ModelSeries(
      "addresses together", drafted: 1,
      [
        "Person name:string address>Address/person",
        "Address street:string city:string person>Person/address",
      ],
      ["Person name:string street:string addressCity:string"]),
    ModelSeries(
      "two roles", drafted: 1, ["Book authorName:string editorName:string"],
      ["Book author>Writer editor>Writer", "Writer name:string! since:date!"]),
    ModelSeries(
      "link to text", drafted: 2, ["Row tag>Tag/rows", "Tag name:string rows>>Row/tag"],
      ["Row tag:string"], ["Row tag>Tag/rows", "Tag name:string rows>>Row/tag"]),
    ModelSeries(
      "links to text", drafted: 1, ["Row tags>>Tag/rows", "Tag name:string rows>>Row/tags"],
      ["Row tags:string"]),
    ModelSeries(
      "one of many", drafted: 1, ["Pet owners>>Person/pets", "Person pets>>Pet/owners"],
      ["Pet owners>Person/pets", "Person pets>>Pet/owners"]),
    ModelSeries(
      "many of one", drafted: 0, ["Pet owner>Person/pets", "Person pets>>Pet/owner"],
      ["Pet owners>>Person/pets@owner", "Person pets>>Pet/owners"]),
    ModelSeries(
      "another end", drafted: 1, ["A b>B!", "B", "C"], ["A b>C!", "B", "C"]),
    ModelSeries(
      "new inverses", drafted: 1, ["A b>B", "B a>A"], ["A b>B/a", "B a>A/b"]),
    ModelSeries("required link", drafted: 1, ["A", "B"], ["A b>B/as!", "B as>>A/b"]),
    ModelSeries(
      "one hierarchy", drafted: 1, ["A name:string", "B name:string"],
      ["~P name:string", "A<P", "B<P"]),
    ModelSeries(
      "abstract", drafted: 1, ["Shape area:double"], ["~Shape area:double", "Circle<Shape"]),
    ModelSeries("abstract alone", drafted: 1, ["Shape area:double"], ["~Shape area:double"]),
    ModelSeries("two heirs of a name", drafted: 1, ["A"], ["B@A", "C@A"]),
    ModelSeries("two names of an heir", drafted: 1, ["B@A", "C@A"], ["D@A"]),
    ModelSeries(
      "two heirs of an attribute", drafted: 1, ["Note a:string"],
      ["Note a:string b:string@a c:integer16!"]),
    ModelSeries(
      "pictures", drafted: 2, ["Photo data:binary"], ["Photo data:file"], ["Photo data:binary"]),
    ModelSeries(
      "settings", drafted: 2, ["User extra:binary"], ["User extra:transformable"],
      ["User extra:string"]),
    ModelSeries(
      "unknown conversions", drafted: 3, ["Note a:uuid"], ["Note a:date!"], ["Note a:binary"],
      ["Note a:boolean"]),
    ModelSeries(
      "lightweight", drafted: 0, ["Note title:string", "Old a:string"],
      ["Note heading:string@title size:integer16", "New"],
      ["Note heading:string size:integer32 next>Note", "New@New"]),
    ModelSeries(
      "heirs", drafted: 1, ["~P day:string", "A<P", "B<P"], ["~P day:date!", "A<P", "B<P"]),
  ]
}
