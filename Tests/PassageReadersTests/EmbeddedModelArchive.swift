import PassageModels
import PassageStores
import PassageValues
import TestSupport

/// Writes a model as Xcode's editor keeps it inside a mapping model.
struct EmbeddedModelArchive {
  private var builder = ArchiveBuilder()
  private var entities: [String: PropertyList] = [:]
  private var properties: [String: PropertyList] = [:]

  static func bytes(of model: Model) -> [UInt8] {
    var archive = EmbeddedModelArchive()
    return archive.bytes(of: model)
  }

  private mutating func bytes(of model: Model) -> [UInt8] {
    // References go forward and in circles.
    for entity in model.entities {
      entities[entity.name] = builder.add(.string(""))
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
        properties["\(entity.name).\(name)"] = builder.add(.string(""))
      }
    }
    for entity in model.entities { fill(entity, in: model) }
    let classes = builder.dictionary(model.entities.map { ($0.name, reference($0.name)) })
    let package = builder.add(
      "XDModelPackage",
      [("XDBucketForClassesstorage", classes), ("_name", builder.text(""))])
    let identifier = builder.text(model.versionIdentifiers.joined(separator: ","))
    let root = builder.add(
      "XDPMModel", inherits: ["XDModel"],
      [("_xd_rootPackage", package), ("_modelVersionIdentifier", identifier)])
    return builder.archive(root: root)
  }

  private func reference(_ entity: String) -> PropertyList {
    entities[entity] ?? ArchiveBuilder.null
  }

  private mutating func fill(_ entity: Entity, in model: Model) {
    for attribute in entity.attributes { fill(attribute, of: entity) }
    for relationship in entity.relationships { fill(relationship, of: entity, in: model) }
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let owned = builder.dictionary(
      names.map { ($0, properties["\(entity.name).\($0)"] ?? ArchiveBuilder.null) })
    let parents = entity.parentName.map { parent in
      [
        builder.add(
          "XDUMLGeneralizationImp",
          [("_general", reference(parent)), ("_specific", reference(entity.name))])
      ]
    }
    let generalizations = builder.array(parents ?? [], "NSMutableArray")
    let constraints = entity.uniquenessConstraints.map { names in
      builder.array(names.map { builder.text($0) })
    }
    let stereotypes = stereotypes([
      (
        "XD_PStereotype",
        [
          ("XD_PSK_isAbstract", builder.add(.bool(entity.isAbstract))),
          ("XD_PSK_versionHashModifier", text(entity.versionHashModifier)),
          ("XD_PSK_elementID", text(entity.renamingIdentifier)),
          ("XD_PSK_entityClassName", text(entity.className)),
          ("XD_PSK_classMapping", builder.text("XDGenericRecordClass")),
          ("XDPMUniquenessConstraints", builder.array(constraints, "NSMutableArray")),
        ]
      )
    ])
    builder.set(
      reference(entity.name), "XDPMEntity", inherits: ["XDUMLClassImp"],
      [
        ("_name", builder.text(entity.name)), ("XDBucketForOwnedAttributesstorage", owned),
        ("XDBucketForStereotypesstorage", stereotypes),
        ("XDBucketForGeneralizationsstorage", generalizations),
      ])
  }

  private mutating func fill(_ attribute: Attribute, of entity: Entity) {
    let stereotypes = stereotypes([
      shared(attribute.isOptional, attribute.isTransient, attribute.versionHashModifier),
      (
        "XD_PAtt_Stereotype",
        [
          ("XD_PAttK_attributeType", builder.add(.integer(Int64(attribute.type.rawValue)))),
          (
            "XD_PAttK_allowsExternalBinaryDataStorage",
            builder.add(.bool(attribute.allowsExternalBinaryDataStorage))
          ),
          ("XD_PAttK_defaultValueAsString", defaultText(attribute.defaultValue)),
          ("XD_PAttK_minValueString", text(attribute.minimum)),
        ]
      ),
    ])
    set("XDPMAttribute", attribute.name, of: entity, stereotypes)
  }

  private mutating func fill(_ relationship: Relationship, of entity: Entity, in model: Model) {
    let inverse = relationship.inverseName.flatMap {
      properties["\(relationship.destinationEntityName).\($0)"]
    }
    let stereotypes = stereotypes([
      shared(relationship.isOptional, relationship.isTransient, relationship.versionHashModifier),
      (
        "XD_PR_Stereotype",
        [
          ("XD_PRK_destination", reference(relationship.destinationEntityName)),
          ("XD_PRK_inverseRelationship", inverse ?? ArchiveBuilder.null),
          ("XD_PRK_isToMany", builder.add(.bool(relationship.isToMany))),
          ("XD_PRK_minCount", builder.add(.integer(Int64(relationship.minimumCount)))),
          ("XD_PRK_maxCount", builder.add(.integer(Int64(relationship.maximumCount)))),
          ("XD_PRK_ordered", builder.add(.bool(relationship.isOrdered))),
          ("XD_PRK_deleteRule", builder.add(.integer(Int64(relationship.deleteRule.rawValue)))),
        ]
      ),
    ])
    set("XDPMRelationship", relationship.name, of: entity, stereotypes)
  }

  private mutating func set(
    _ className: String, _ name: String, of entity: Entity, _ stereotypes: PropertyList
  ) {
    builder.set(
      properties["\(entity.name).\(name)"] ?? ArchiveBuilder.null, className,
      inherits: ["XDPMProperty", "XDUMLPropertyImp"],
      [
        ("_name", builder.text(name)), ("_owner", reference(entity.name)),
        ("XDBucketForStereotypesstorage", stereotypes),
      ])
  }

  private mutating func shared(
    _ isOptional: Bool, _ isTransient: Bool, _ modifier: String?
  ) -> (String, [(String, PropertyList)]) {
    (
      "XD_PPropStereotype",
      [
        ("XD_PPSK_isOptional", builder.add(.bool(isOptional))),
        ("XD_PPSK_isTransient", builder.add(.bool(isTransient))),
        ("XD_PPSK_versionHashModifier", text(modifier)),
        ("XD_PPSK_isSpotlightIndexed", builder.add(.bool(false))),
      ]
    )
  }

  private mutating func stereotypes(
    _ all: [(String, [(String, PropertyList)])]
  ) -> PropertyList {
    let objects = all.map { name, settings in
      let owned = settings.map { key, value in
        (
          key,
          builder.add(
            "XDUMLPropertyImp", [("_name", builder.text(key)), ("_default", value)])
        )
      }
      let storage = builder.dictionary(owned)
      return (
        name,
        builder.add(
          "XDUMLStereotypeImp",
          [("_name", builder.text(name)), ("XDBucketForOwnedAttributesstorage", storage)])
      )
    }
    return builder.dictionary(objects)
  }

  private mutating func defaultText(_ value: Value) -> PropertyList {
    switch value {
    case .text(let text): builder.text(text)
    case .integer(let number): builder.text("\(number)")
    default: ArchiveBuilder.null
    }
  }

  private mutating func text(_ text: String?) -> PropertyList {
    text.map { builder.text($0) } ?? ArchiveBuilder.null
  }
}
