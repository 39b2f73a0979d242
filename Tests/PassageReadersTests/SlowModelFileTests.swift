import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The danger that a compiled model, or a mapping model of Xcode’s, keeps its reader busy without end.
@Suite(.serialized) struct SlowModelFileTests {
  /// A file of n parts, and how it is read.
  struct File: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let size: Int
    let read: @Sendable (Int) -> Void
  }

  private static func model(
    _ name: String, _ size: Int, _ fill: @escaping @Sendable (inout ArchivedModel, Int) -> Void
  ) -> File {
    File(testDescription: "compiled model: \(name)", size: size) { n in
      var archive = ArchivedModel()
      fill(&archive, n)
      _ = try? CompiledModelReader.read(archive.archive(), name: "M", file: "M.mom")
    }
  }

  private static let models: [File] = [
    model("attributes", 6_400) { archive, n in
      archive.entity("E", properties: (0..<n).map { archive.attribute("a\($0)", 700) })
    },
    model("entities", 25_600) { archive, n in
      for number in 0..<n {
        archive.entity("E\(number)", properties: [archive.attribute("a", 700)])
      }
    },
    model("entities of one parent", 25_600) { archive, n in
      archive.entity("R", properties: [archive.attribute("a", 700)])
      for number in 0..<n { archive.entity("E\(number)", parent: "R") }
    },
    model("attributes of no type", 6_400) { archive, n in
      archive.entity("E", properties: (0..<n).map { archive.attribute("a\($0)", 77) })
    },
    model("relationships to nowhere", 6_400) { archive, n in
      archive.entity(
        "E", properties: (0..<n).map { archive.relationship("r\($0)", to: "X\($0)") })
    },
    model("relationships to one entity", 6_400) { archive, n in
      archive.entity("E", properties: (0..<n).map { archive.relationship("r\($0)", to: "E") })
    },
  ]

  private static func compiled(
    _ name: String, _ size: Int,
    _ mappings: @escaping @Sendable (inout ArchivedExpressionTests.Maker, Int) -> [PropertyList]
  ) -> File {
    File(testDescription: "compiled mapping model: \(name)", size: size) { n in
      var maker = ArchivedExpressionTests.Maker()
      let all = maker.builder.array(mappings(&maker, n))
      let root = maker.builder.add("NSMappingModel", [("NSEntityMappings", all)])
      _ = try? XcodeMappingReader.read(
        maker.builder.archive(root: root), name: "S", file: "S.cdm", source: ShopModels.first,
        destination: ShopModels.second)
    }
  }

  private static func mapping(
    _ maker: inout ArchivedExpressionTests.Maker, _ name: String, _ attributes: [PropertyList]
  ) -> PropertyList {
    let attributes = maker.builder.array(attributes)
    return maker.builder.add(
      "NSEntityMapping",
      [
        ("NSMappingType", .integer(5)), ("NSMappingName", maker.builder.text(name)),
        ("NSSourceEntityName", maker.builder.text("Maker")),
        ("NSDestinationEntityName", maker.builder.text("Maker")),
        ("NSAttributeMappings", attributes),
      ])
  }

  private static func property(
    _ maker: inout ArchivedExpressionTests.Maker, _ name: String
  ) -> PropertyList {
    let value = maker.constant(maker.builder.text("v"))
    return maker.builder.add(
      "NSPropertyMapping",
      [("NSDestinationPropertyName", maker.builder.text(name)), ("NSValueExpression", value)])
  }

  private static let mappings: [File] = [
    compiled("entity mappings", 6_400) { maker, n in
      (0..<n).map { number in
        let name = property(&maker, "name")
        return mapping(&maker, "m\(number)", [name])
      }
    },
    compiled("attribute mappings", 6_400) { maker, n in
      let properties = (0..<n).map { property(&maker, "a\($0)") }
      return [mapping(&maker, "m", properties)]
    },
    compiled("mappings of one name", 6_400) { maker, n in
      (0..<n).map { _ in mapping(&maker, "m", []) }
    },
  ]

  private static func written(
    _ name: String, _ size: Int, _ fill: @escaping @Sendable (inout XcodeMappingFile, Int) -> Void
  ) -> File {
    File(testDescription: "mapping model: \(name)", size: size) { n in
      var file = XcodeMappingFile()
      fill(&file, n)
      _ = try? file.read()
    }
  }

  private static let files: [File] = [
    written("entity mappings", 3_200) { file, n in
      for number in 1...n { file.map("Maker", "Maker", number: number % 30_000) }
    },
    written("attribute mappings", 3_200) { file, n in
      let value = XcodeMappingFile.expression { $0.constant(.integer(1)) }
      file.map(
        "Maker", "Maker", number: 1, attributes: (0..<n).map { ("a\($0)", [value]) })
    },
    written("relationship mappings", 3_200) { file, n in
      file.map(
        "Maker", "Maker", number: 1, relationships: (0..<n).map { ("r\($0)", []) })
    },
    written("objects that belong to nothing", 3_200) { file, n in
      file.map("Maker", "Maker", number: 1)
      for number in 0..<n {
        file.add("XDDEVATTRIBUTEMAPPING", [XcodeMappingFile.text("name", "x\(number)")])
      }
    },
    written("entities in the models that it keeps", 1_280) { file, n in
      let model = Model(
        name: "Shop 1",
        entities: (0..<n).map {
          Entity(name: "E\($0)", attributes: [Attribute(name: "a", type: .string)])
        })
      file.embed(source: model, destination: model)
      file.map("Maker", "Maker", number: 1)
    },
  ]

  @Test(arguments: models + mappings + files)
  func `a large file that is made to be slow is read without hanging`(file: File) {
    let seconds = HangGuard.seconds { file.read(file.size) }
    #expect(seconds < HangGuard.bound, "\(file.testDescription)")
  }
}
