internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

extension PassRun {
  /// Makes the objects that an `add` mapping lists, and associates each with its place in the list.
  func addObjects(_ work: MappingRun) throws {
    let mapping = work.mappingPlan
    guard !mapping.bound.addedObjects.isEmpty else { return }
    guard let destination = mapping.destination,
      let shape = step.shape(ofEntity: destination.name)
    else { throw PolicyMistake("“\(mapping.name)” makes objects of no entity") }
    let pass = try work.context.inPass()
    let writer = try pass.objects.writer(of: shape)
    for (place, values) in mapping.bound.addedObjects.enumerated() {
      var object = DestinationObject(shape: shape, key: 0, values: shape.defaults)
      for value in values {
        try object.set(value.attribute.name, to: value.attribute.storedForm(of: value.value))
      }
      object.key = try keys.next(table: destination.tableName)
      try writer.append(object, missing: missing)
      try pass.associations.record(Int64(place), object.reference)
      work.context.account.added += 1
    }
  }
}
