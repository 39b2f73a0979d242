import Foundation
import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

private enum Python {
  static let isPresent =
    (try? ChildProgram.shell("python3 -c 'import sqlite3, zlib, plistlib'"))?.status == 0
}

/// A kept model read by programs that share no code with Passage: SQLite's, zlib's and the property
/// list reader of Python's standard library.
@Suite(.enabled(if: Python.isPresent, "no python3 with sqlite3, zlib and plistlib"))
struct OtherDecoderTests {
  /// Walks the archive, checks that its references agree, and prints a line for each entity and
  /// property.
  private static let script = #"""
    import plistlib, sqlite3, sys, zlib
    row = sqlite3.connect(sys.argv[1]).execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchall()
    assert len(row) == 1
    stream = zlib.decompressobj(-15)
    archive = plistlib.loads(stream.decompress(row[0][0]))
    assert stream.eof and not stream.unused_data
    assert archive["$archiver"] == "NSKeyedArchiver" and archive["$version"] == 100000
    objects = archive["$objects"]
    assert objects[0] == "$null"
    def at(value):
        return objects[value.data] if isinstance(value, plistlib.UID) else value
    def text(value):
        return None if value.data == 0 else at(value)
    def name(value):
        return objects[value["$class"].data]["$classname"]
    def entries(value):
        value = at(value)
        return list(zip([at(k) for k in value["NS.keys"]], value["NS.objects"]))
    root = archive["$top"]["root"]
    model = at(root)
    assert name(model) == "NSManagedObjectModel"
    known = at(model["NSEntities"])
    strategy = at(known["searchMapping"])
    keys = [at(k) for k in at(strategy["keys"])["NS.objects"]]
    assert strategy["length"] == len(keys)
    entities = dict(zip(keys, at(known["values"])["NS.objects"]))
    lines = []
    def show(*words):
        lines.append("|".join("-" if w is None else str(w) for w in words))
    for key, reference in entities.items():
        entity = at(reference)
        assert name(entity) == "NSEntityDescription" and at(entity["NSEntityName"]) == key
        assert entity["NSManagedObjectModel"] == root
        parent = entity["NSSuperentity"]
        if parent.data:
            assert dict(entries(at(parent)["NSSubentities"]))[key] == reference
        children = ",".join(sorted(k for k, _ in entries(entity["NSSubentities"])))
        show("entity", key, text(at(parent)["NSEntityName"]) if parent.data else None, children,
            int(entity.get("NSIsAbstract", False)), text(entity["NSClassNameForEntity"]),
            text(entity["NSVersionHashModifier"]), at(entity["NSRenamingIdentifier"]),
            ";".join(k + "=" + at(v) for k, v in entries(entity["NSUserInfo"])))
        for property_name, place in entries(entity["NSProperties"]):
            item = at(place)
            assert item["NSEntity"] == reference and at(item["NSPropertyName"]) == property_name
            flags = "".join(str(int(item.get(f, False)))
                for f in ["NSIsOptional", "NSIsTransient", "NSIsIndexed", "NSIsOrdered"])
            modifier = text(item["NSVersionHashModifier"]) if "NSVersionHashModifier" in item else None
            common = [key + "." + property_name, flags, modifier, at(item["NSRenamingIdentifier"])]
            if name(item) == "NSRelationshipDescription":
                target = item["NSDestinationEntity"]
                inverse = text(item["_NSInverseRelationshipName"])
                if inverse:
                    assert item["NSInverseRelationship"] == dict(entries(at(target)["NSProperties"]))[inverse]
                assert entities[at(item["_NSDestinationEntityName"])] == target
                show("relationship", *common, at(at(target)["NSEntityName"]), inverse,
                    item["NSMinCount"], item["NSMaxCount"], item["NSDeleteRule"])
            elif name(item) == "NSFetchedPropertyDescription":
                show("fetched", *common)
            else:
                assert name(item) in ("NSAttributeDescription", "NSDerivedAttributeDescription")
                show("attribute", *common, item["NSAttributeType"], item["NSFlagsKey"],
                    int(name(item) != "NSAttributeDescription"), text(item["NSValueTransformerName"]))
    print("\n".join(sorted(lines)))
    """#

  /// The same lines, from the model.
  private static func lines(of model: Model) -> [String] {
    var lines: [String] = []
    func show(_ words: String?...) {
      lines.append(words.map { $0 ?? "-" }.joined(separator: "|"))
    }
    func digits(_ flags: Bool...) -> String { flags.map { $0 ? "1" : "0" }.joined() }
    for entity in model.entities {
      show(
        "entity", entity.name, entity.parentName,
        model.children(of: entity).map(\.name).sorted().joined(separator: ","),
        digits(entity.isAbstract), entity.className, entity.versionHashModifier,
        entity.renamingIdentifier ?? entity.name,
        entity.userInfo.map { "\($0)=\($1)" }.joined(separator: ";"))
      for attribute in model.attributes(of: entity) {
        show(
          "attribute", "\(entity.name).\(attribute.name)",
          digits(attribute.isOptional, attribute.isTransient, attribute.isIndexed, false),
          attribute.versionHashModifier, attribute.renamingIdentifier ?? attribute.name,
          "\(attribute.type.rawValue)",
          attribute.allowsExternalBinaryDataStorage
            ? "4" : attribute.preservesValueOnDeletion ? "16" : "0",
          digits(attribute.derivation != nil),
          attribute.valueTransformerName)
      }
      for relationship in model.relationships(of: entity) {
        show(
          "relationship", "\(entity.name).\(relationship.name)",
          digits(relationship.isOptional, relationship.isTransient, false, relationship.isOrdered),
          relationship.versionHashModifier, relationship.renamingIdentifier ?? relationship.name,
          relationship.destinationEntityName, relationship.inverseName,
          "\(relationship.minimumCount)", "\(relationship.maximumCount)",
          "\(relationship.deleteRule.rawValue)")
      }
      for property in model.lineage(of: entity).flatMap(\.fetchedProperties) {
        show("fetched", "\(entity.name).\(property.name)", "0000", nil, property.name)
      }
    }
    return lines.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
  }

  private func expectAgreement(on model: Model) throws {
    let folder = try TemporaryDirectory()
    try StoreCreator.create(model: model, at: folder.path("a.sqlite"))
    try folder.write(Self.script, to: "read.py")
    let outcome = try ChildProgram.run(
      "/usr/bin/env", ["PYTHONIOENCODING=utf-8", "python3", "read.py", "a.sqlite"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines == Self.lines(of: model))
  }

  @Test func `another decoder finds every entity and property with its facts`() throws {
    try expectAgreement(on: RichModel.model)
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no real models and stores beside the package"),
    arguments: Corpus.models)
  func `another decoder finds what a model of an app says`(_ path: String) throws {
    let model = try ModelFile.read(path: Corpus.file(path))
    try expectAgreement(on: model)
  }
}
