import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageValues
import Testing

struct XcodeModelReaderTests {
  private func read(_ xml: String) throws(Diagnostics) -> ReadModel {
    try XcodeModelReader.read(Array(xml.utf8), name: "M", file: "M.xcdatamodel/contents")
  }

  private func entity(_ inside: String, attributes: String = "") throws -> Entity {
    let model = try read(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="E" \(attributes)>\(inside)</entity>
        <entity name="F"><attribute name="x" optional="YES" attributeType="String"/></entity>
        <compositeAttribute name="Size">
          <attribute name="width" optional="YES" attributeType="Double"/>
        </compositeAttribute>
      </model>
      """
    ).model
    return try #require(model.entity(named: "E"))
  }

  private func findings(_ xml: String) -> [Diagnostic] {
    do {
      return try read(xml).remarks.all
    } catch {
      return error.all
    }
  }

  @Test(arguments: [
    ("Undefined", AttributeType.undefined), ("Integer 16", .integer16), ("Integer 32", .integer32),
    ("Integer 64", .integer64), ("Decimal", .decimal), ("Double", .double), ("Float", .float),
    ("String", .string), ("Boolean", .boolean), ("Date", .date), ("Binary", .binary),
    ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable), ("ObjectID", .objectID),
  ])
  func `every attribute type is read`(_ word: String, _ type: AttributeType) throws {
    let read = try entity("<attribute name=\"a\" attributeType=\"\(word)\"/>")
    #expect(read.attributes == [Attribute(name: "a", type: type, isOptional: false)])
  }

  @Test(arguments: [
    ("Integer 16", "-7", Value.integer(-7)), ("Integer 32", "0.0", .integer(0)),
    ("Integer 64", "9223372036854775807", .integer(.max)), ("Decimal", "10", .integer(10)),
    ("Decimal", "1.5", .real(1.5)), ("Double", "0", .real(0)), ("Float", "0.25", .real(0.25)),
    ("Boolean", "YES", .integer(1)), ("Boolean", "NO", .integer(0)), ("String", "", ""),
    ("Boolean", "0.0", .integer(0)), ("Boolean", "1.0", .integer(1)), ("Boolean", "2", .integer(1)),
    ("URI", "https://example.org", "https://example.org"),
    ("UUID", "00010203-0405-0607-0809-0a0b0c0d0e0f", .blob(Array(0...15))),
    ("Integer 32", "NO", .integer(0)), ("Integer 16", "12 apples", .integer(12)),
    ("Double", "YES", .real(0)),
  ])
  func `defaults are read as the store keeps them`(
    _ type: String, _ text: String, _ value: Value
  ) throws {
    let read = try entity(
      "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>")
    #expect(read.attributes.map(\.defaultValue) == [value])
  }

  @Test func `an inherited property that is declared again is a warning, and another an error`()
    throws
  {
    func xml(_ type: String) -> String {
      """
      <model>
        <entity name="A"><attribute name="a" attributeType="String"/></entity>
        <entity name="B" parentEntity="A"><attribute name="b" attributeType="String"/></entity>
        <entity name="C" parentEntity="B">
          <attribute name="a" attributeType="\(type)"/>
          <attribute name="c" attributeType="String"/>
        </entity>
      </model>
      """
    }
    let read = try read(xml("String"))
    #expect(read.model.entity(named: "C")?.attributes.map(\.name) == ["c"])
    #expect(read.remarks.all.map(\.code) == ["MOD-017"])
    #expect(read.remarks.all.first?.location?.line == 5)
    #expect(findings(xml("Integer 16")).filter { $0.severity == .error }.map(\.code) == ["MOD-016"])
  }

  @Test func `a default that is not a number is a warning`() {
    let found = findings(
      """
      <model><entity name="E">
        <attribute name="a" attributeType="Integer 32" defaultValueString="NO"/>
      </entity></model>
      """)
    #expect(found.map(\.code) == ["MOD-113"])
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.location?.line == 2)
  }

  @Test func `every part of an attribute is read`() throws {
    let read = try entity(
      """
      <attribute name="a" optional="YES" attributeType="String" minValueString="1"
        maxValueString="8" regularExpressionString=".*" indexed="YES" elementID="old"
        versionHashModifier="2" usesScalarValueType="NO" syncable="YES"
        preserveAfterDeletion="YES"><userInfo><entry key="k" value="v"/></userInfo></attribute>
      <attribute name="b" optional="YES" attributeType="Binary"
        allowsExternalBinaryDataStorage="YES"/>
      <attribute name="c" optional="YES" transient="YES"/>
      <attribute name="d" optional="YES" attributeType="Date" defaultDateTimeInterval="10.5"
        minDateTimeInterval="0" maxDateTimeInterval="120" usesScalarValueType="NO"/>
      <attribute name="n" optional="YES" attributeType="Integer 64" derived="YES"
        derivationExpression="f.@count"/>
      <attribute name="s" optional="YES" attributeType="Composite" compositeName="Size"/>
      <attribute name="t" optional="YES" attributeType="Transformable"
        valueTransformerName="T" customClassName="C"/>
      """)
    #expect(
      read.attributes == [
        Attribute(
          name: "a", type: .string, preservesValueOnDeletion: true, minimum: "1", maximum: "8",
          regularExpression: ".*", isIndexed: true, renamingIdentifier: "old",
          versionHashModifier: "2", userInfo: ["k": "v"]),
        Attribute(name: "b", type: .binary, allowsExternalBinaryDataStorage: true),
        Attribute(name: "c", type: .undefined, isTransient: true),
        Attribute(name: "d", type: .date, defaultValue: 10.5, minimum: "0", maximum: "120"),
        Attribute(name: "n", type: .integer64, derivation: "f.@count"),
        Attribute(
          name: "s", type: .composite, elements: [Attribute(name: "width", type: .double)]),
        Attribute(
          name: "t", type: .transformable, valueTransformerName: "T", valueClassName: "C"),
      ])
  }

  @Test(arguments: [
    ("", 0, 1), ("maxCount=\"1\"", 0, 1), ("toMany=\"YES\"", 0, 0),
    ("toMany=\"YES\" minCount=\"2\" maxCount=\"5\"", 2, 5), ("maxCount=\"3\"", 0, 3),
  ])
  func `counts say whether a relationship is to-many`(
    _ written: String, _ minimum: Int, _ maximum: Int
  ) throws {
    let read = try entity(
      "<relationship name=\"r\" optional=\"YES\" \(written) destinationEntity=\"F\"/>")
    #expect(read.relationships.map(\.minimumCount) == [minimum])
    #expect(read.relationships.map(\.maximumCount) == [maximum])
  }

  @Test(arguments: [
    ("Nullify", Relationship.DeleteRule.nullify), ("Cascade", .cascade), ("Deny", .deny),
    ("No Action", .noAction),
  ])
  func `every part of a relationship is read`(
    _ word: String, _ rule: Relationship.DeleteRule
  ) throws {
    let read = try entity(
      """
      <relationship name="r" transient="YES" toMany="YES" ordered="YES" deletionRule="\(word)"
        destinationEntity="E" inverseName="r" inverseEntity="E" elementID="old"
        versionHashModifier="2" syncable="YES"><userInfo><entry key="k" value="v"/></userInfo>
      </relationship>
      """)
    #expect(
      read.relationships == [
        Relationship(
          name: "r", destinationEntityName: "E", inverseName: "r", isOptional: false,
          isTransient: true, maximumCount: 0, isOrdered: true, deleteRule: rule,
          renamingIdentifier: "old", versionHashModifier: "2", userInfo: ["k": "v"])
      ])
  }

  @Test func `every part of an entity is read`() throws {
    let read = try entity(
      """
      <attribute name="a" optional="YES" attributeType="String"/>
      <attribute name="b" optional="YES" attributeType="String"/>
      <fetchedProperty name="like"><fetchRequest name="r" entity="F" predicateString="x"/>
      </fetchedProperty>
      <fetchIndex name="byA" partialIndexPredicate="a != nil">
        <fetchIndexElement property="a" type="Binary" order="descending"/>
        <fetchIndexElement property="b" type="RTree" order="ascending"/>
      </fetchIndex>
      <compoundIndexes><compoundIndex><index value="b"/><index value="a"/></compoundIndex>
      </compoundIndexes>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="b"/><constraint value="x"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
      </uniquenessConstraints>
      <userInfo><entry key="k" value="v"/></userInfo>
      """,
      attributes: """
        representedClassName="Ev" isAbstract="YES" parentEntity="F" elementID="Old"
        versionHashModifier="3" syncable="YES" codeGenerationType="class"
        """)
    #expect(read.isAbstract)
    #expect(read.parentName == "F")
    #expect(read.className == "Ev")
    #expect(read.renamingIdentifier == "Old")
    #expect(read.versionHashModifier == "3")
    #expect(
      read.fetchedProperties == [
        Entity.FetchedProperty(
          name: "like",
          fetchRequest: Model.FetchRequest(name: "r", entityName: "F", predicate: "x"))
      ])
    #expect(read.uniquenessConstraints == [["b", "x"], ["a"]])
    #expect(read.userInfo == ["k": "v"])
    #expect(
      read.indexes == [
        Entity.Index(
          name: "byA",
          elements: [
            .init(propertyName: "a", isAscending: false), .init(propertyName: "b", kind: .rtree),
          ], partialPredicate: "a != nil"),
        Entity.Index(name: "b_a", elements: [.init(propertyName: "b"), .init(propertyName: "a")]),
      ])
  }

  @Test func `an unknown element is noted once and ignored`() {
    let found = findings(
      """
      <model future="1"><news/><entity name="E" colour="red">
        <attribute name="a" attributeType="String" x="1"/>
        <attribute name="b" attributeType="String" x="1"/>
      </entity></model>
      """)
    #expect(found.map(\.code) == ["MOD-105", "MOD-105", "MOD-105", "MOD-105"])
    // An element that may be a new kind of thing a store keeps is more than a note.
    #expect(found.filter { $0.severity == .warning }.map(\.message).count == 1)
    #expect(found.first { $0.severity == .warning }?.message.contains("<news>") == true)
  }

  @Test func `every mistake is reported at once with its line`() {
    let found = findings(
      """
      <model><entity name="E">
        <attribute name="a" attributeType="Strin"/>
        <attribute name="b" attributeType="Integer 16" defaultValueString="40000"/>
        <attribute attributeType="String"/>
        <relationship name="r" deletionRule="Cascad" maxCount="-1" optional="MAYBE"
          destinationEntity="E"/>
        <relationship name="s"/>
      </entity></model>
      """)
    #expect(
      found.map(\.code) == [
        "MOD-104", "MOD-104", "MOD-108", "MOD-104", "MOD-104", "MOD-104", "MOD-108",
      ])
    #expect(found.compactMap { $0.location?.line } == [2, 3, 4, 6, 6, 6, 7])
    #expect(found.first?.remedy == "did you mean “String”?")
  }

  @Test func `a mistake of meaning is shown in its place`() {
    let found = findings(
      """
      <model>
        <entity name="E">
          <relationship name="r" optional="YES" destinationEntity="Nowhere"/>
        </entity>
      </model>
      """)
    #expect(found.map(\.code) == ["MOD-020"])
    #expect(found.first?.location?.line == 3)
    #expect(found.first?.location?.file == "M.xcdatamodel/contents")
  }

  @Test func `a composite type that does not exist is an error with the nearest name`() {
    let found = findings(
      """
      <model><entity name="E">
        <attribute name="a" attributeType="Composite" compositeName="Siz"/>
      </entity><compositeAttribute name="Size"/></model>
      """)
    #expect(found.map(\.code) == ["MOD-109"])
    #expect(found.first?.remedy == "did you mean “Size”?")
  }

  @Test func `an index over an expression is kept`() throws {
    let read = try read(
      """
      <model><entity name="E">
        <attribute name="a" attributeType="String"/>
        <fetchIndex name="i">
          <fetchIndexElement property="a" type="Binary" order="ascending"/>
          <fetchIndexElement expression="length:(a)" type="Binary" order="ascending"/>
        </fetchIndex>
      </entity></model>
      """
    ).model
    #expect(
      read.entities[0].indexes.map(\.elements) == [
        [.init(propertyName: "a"), .init(expression: "length:(a)")]
      ])
    #expect(
      findings(
        """
        <model><entity name="E"><fetchIndex name="i"><fetchIndexElement type="Binary"/></fetchIndex>
        </entity></model>
        """
      ).map(\.code).contains("MOD-108"))
  }

  /// Xcode has named a composite attribute's type in several ways.
  @Test(arguments: ["compositeName", "compositeAttribute", "elementName", "ofSomeFutureXcode"])
  func `a composite attribute has the elements of its type`(_ reference: String) throws {
    let read = try read(
      """
      <model><entity name="E">
        <attribute name="a" optional="YES" attributeType="Composite" \(reference)="Size"/></entity>
        <compositeAttribute name="Size"><attribute name="width" attributeType="Double"/>
        </compositeAttribute></model>
      """
    ).model
    #expect(read.entities[0].attributes[0].elements.map(\.name) == ["width"])
  }

  @Test func `configurations and fetch requests are kept`() throws {
    let read = try read(
      """
      <model>
        <entity name="E"><attribute name="a" attributeType="String"/>
          <fetchedProperty name="f" optional="YES">
            <fetchRequest name="fetchedPropertyFetchRequest" entity="E" predicateString="a != nil"/>
            <userInfo><entry key="k" value="v"/></userInfo>
          </fetchedProperty>
        </entity>
        <entity name="F"/>
        <configuration name="Cloud" usedWithCloudKit="YES">
          <memberEntity name="E"/><memberEntity name="F"/>
        </configuration>
        <configuration name="Empty"/>
        <fetchRequest name="All" entity="E" predicateString="a == $A" fetchLimit="5"/>
      </model>
      """
    ).model
    #expect(
      read.configurations == [
        Model.Configuration(name: "Cloud", entityNames: ["E", "F"], isUsedWithCloudKit: true),
        Model.Configuration(name: "Empty", entityNames: []),
      ])
    #expect(
      read.fetchRequestTemplates == [
        Model.FetchRequest(
          name: "All", entityName: "E", predicate: "a == $A", settings: ["fetchLimit": "5"])
      ])
    #expect(
      read.entity(named: "E")?.fetchedProperties == [
        Entity.FetchedProperty(
          name: "f",
          fetchRequest: Model.FetchRequest(
            name: "fetchedPropertyFetchRequest", entityName: "E", predicate: "a != nil"),
          userInfo: ["k": "v"])
      ])
    #expect(
      try ModelDocument.decode(Array(ModelDocument.encode(read).utf8), file: "m.json") == read)
  }

  @Test func `a configuration of an unknown entity is a warning`() {
    let found = findings(
      """
      <model><entity name="Event"/>
        <configuration name="Cloud"><memberEntity name="Evnt"/></configuration></model>
      """)
    #expect(found.map(\.code) == ["MOD-045"])
    #expect(found.first?.remedy == "did you mean “Event”?")
  }

  /// Older editors wrote `1` and `0`, and boxes of their diagram.
  @Test(arguments: [("YES", "NO"), ("1", "0"), ("true", "false")])
  func `flags are read in every spelling`(_ yes: String, _ no: String) throws {
    let read = try read(
      """
      <model><entity name="E" isAbstract="\(yes)">
        <attribute name="a" attributeType="Boolean" optional="\(no)" defaultValueString="\(yes)"/>
      </entity><elements><element name="E" positionX="0" positionY="0"/></elements></model>
      """
    ).model
    #expect(read.entities[0].isAbstract)
    #expect(!read.entities[0].attributes[0].isOptional)
    #expect(read.entities[0].attributes[0].defaultValue == 1)
  }
}
