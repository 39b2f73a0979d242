import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores
import TestSupport

/// A mapping model as Xcode's editor keeps it, for tests: a Core Data XML store.
struct XcodeMappingFile {
  /// One value of an object, as it is written.
  struct Attribute {
    var name: String
    var type: String
    var text: String
  }

  /// One object of the store.
  struct Object {
    var type: String
    var identifier: String
    var attributes: [Attribute]
    var relationships: [(name: String, destination: String, identifiers: [String])] = []
  }

  private(set) var objects: [Object] = []
  private var entityMappings: [String] = []
  private var nextNumber = 102
  /// The values of the one mapping model.
  var model: [Attribute] = [
    Self.text("sourcemodelpath", "Shop/Shop.xcdatamodeld/Shop 1.xcdatamodel"),
    Self.text("destinationmodelpath", "Shop/Shop.xcdatamodeld/Shop 2.xcdatamodel"),
  ]

  // MARK: Values

  static func text(_ name: String, _ text: String) -> Attribute {
    Attribute(name: name, type: "string", text: text)
  }

  static func flag(_ name: String, _ flag: Bool) -> Attribute {
    Attribute(name: name, type: "bool", text: flag ? "1" : "0")
  }

  static func bytes(_ name: String, _ bytes: [UInt8]) -> Attribute {
    let base64 = Data(bytes).base64EncodedString(options: [.lineLength64Characters])
    return Attribute(name: name, type: "binary", text: "\n\(base64)\n")
  }

  /// A written expression, as the archive that holds it.
  static func expression(
    _ name: String = "valueexpressiondata",
    _ make: (inout ArchivedExpressionTests.Maker) -> PropertyList
  ) -> Attribute {
    var maker = ArchivedExpressionTests.Maker()
    let root = make(&maker)
    return bytes(name, maker.builder.archive(root: root))
  }

  static func userInfo(_ entries: [(String, String)]) -> Attribute {
    var builder = ArchiveBuilder()
    let texts = entries.map { ($0.0, builder.text($0.1)) }
    let root = builder.dictionary(texts, "NSDictionary")
    return bytes("userinfodata", builder.archive(root: root))
  }

  /// Keeps copies of both models, as the editor does.
  mutating func embed(source: Model, destination: Model) {
    model.append(Self.bytes("sourcemodeldata", EmbeddedModelArchive.bytes(of: source)))
    model.append(Self.bytes("destinationmodeldata", EmbeddedModelArchive.bytes(of: destination)))
  }

  // MARK: Objects

  /// Adds an object that belongs to nothing yet; gives its identifier.
  @discardableResult
  mutating func add(
    _ type: String, _ attributes: [Attribute],
    _ relationships: [(name: String, destination: String, identifiers: [String])] = []
  ) -> String {
    let identifier = "z\(nextNumber)"
    nextNumber += 1
    objects.append(
      Object(
        type: type, identifier: identifier, attributes: attributes, relationships: relationships))
    return identifier
  }

  /// A property mapping: its name, and what was written for it.
  typealias Property = (name: String, attributes: [Attribute])

  /// Adds an entity mapping that belongs to the mapping model.
  @discardableResult
  mutating func map(
    _ source: String?, _ destination: String?, number: Int?, _ others: [Attribute] = [],
    attributes: [Property] = [], relationships: [Property] = []
  ) -> String {
    let attributeMappings = attributes.map {
      add("XDDEVATTRIBUTEMAPPING", $0.attributes + [Self.text("name", $0.name)])
    }
    let relationshipMappings = relationships.map {
      add("XDDEVRELATIONSHIPMAPPING", $0.attributes + [Self.text("name", $0.name)])
    }
    var values = [Self.text("mappingtypename", "Undefined")] + others
    if !others.contains(where: { $0.name == "autogenerateexpression" }) {
      values.append(Self.flag("autogenerateexpression", true))
    }
    if let source { values.append(Self.text("sourcename", source)) }
    if let destination { values.append(Self.text("destinationname", destination)) }
    if let number {
      values.append(Attribute(name: "mappingnumber", type: "int16", text: "\(number)"))
    }
    let identifier = add(
      "XDDEVENTITYMAPPING", values,
      [
        ("attributemappings", "XDDEVATTRIBUTEMAPPING", attributeMappings),
        ("relationshipmappings", "XDDEVRELATIONSHIPMAPPING", relationshipMappings),
      ])
    entityMappings.append(identifier)
    return identifier
  }

  // MARK: Text

  /// The file. The mapping model is between the others, and names its parts last first.
  var xml: String {
    var all = objects
    all.insert(
      Object(
        type: "XDDEVMAPPINGMODEL", identifier: "z101", attributes: model,
        relationships: [("entitymappings", "XDDEVENTITYMAPPING", entityMappings.reversed())]),
      at: all.count / 2)
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <nextObjectID>\(nextNumber)</nextObjectID>
          </databaseInfo>
      \(all.map(Self.xml).joined(separator: "\n"))
      </database>
      """
  }

  private static func xml(_ object: Object) -> String {
    var lines = ["    <object type=\"\(object.type)\" id=\"\(object.identifier)\">"]
    for attribute in object.attributes {
      lines.append(
        "        <attribute name=\"\(attribute.name)\" type=\"\(attribute.type)\">"
          + "\(escaped(attribute.text))</attribute>")
    }
    for relationship in object.relationships {
      lines.append(
        "        <relationship name=\"\(relationship.name)\" type=\"0/0\" "
          + "destination=\"\(relationship.destination)\" "
          + "idrefs=\"\(relationship.identifiers.joined(separator: " "))\"></relationship>")
    }
    return (lines + ["    </object>"]).joined(separator: "\n")
  }

  /// As XML stores write text: two bytes swapped.
  static func escaped(_ text: String) -> String {
    text.replacing("<", with: "\\u3c00").replacing("&", with: "\\u2600")
  }

  /// Reads the file as it stands.
  func read(
    source: Model? = ShopModels.first, destination: Model? = ShopModels.second
  ) throws(Diagnostics) -> ReadMappingModel {
    try XcodeMappingReader.read(
      Array(xml.utf8), name: "Shop1to2", file: "xcmapping.xml", source: source,
      destination: destination)
  }
}

/// Two versions of a shop.
enum ShopModels {
  static let first = Model(
    name: "Shop 1",
    entities: [
      Entity(
        name: "Thing", isAbstract: true, attributes: [Attribute(name: "title", type: .string)]),
      Entity(
        name: "Item", parentName: "Thing",
        attributes: [
          Attribute(name: "price", type: .double),
          Attribute(name: "shown", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(name: "maker", destinationEntityName: "Maker", inverseName: "items")
        ]),
      Entity(
        name: "Maker", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "items", destinationEntityName: "Item", inverseName: "maker", maximumCount: 0)
        ]),
      Entity(name: "Note", attributes: [Attribute(name: "text", type: .string)]),
    ])

  static let second = Model(
    name: "Shop 2",
    entities: [
      Entity(
        name: "Thing", isAbstract: true, attributes: [Attribute(name: "title", type: .string)]),
      Entity(
        name: "Item", parentName: "Thing",
        attributes: [
          Attribute(name: "cents", type: .integer64),
          Attribute(name: "price", type: .double),
          Attribute(name: "shown", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(name: "maker", destinationEntityName: "Maker", inverseName: "items"),
          Relationship(name: "former", destinationEntityName: "Maker"),
        ]),
      Entity(
        name: "Maker", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "items", destinationEntityName: "Item", inverseName: "maker", maximumCount: 0)
        ]),
      Entity(name: "Colour", attributes: [Attribute(name: "name", type: .string)]),
    ])
}
