package import PassageMappings

extension MappingModel {
  /// The mapping model when a person has confirmed every proposal of a draft.
  package var withoutMarks: MappingModel {
    var model = self
    for index in model.entityMappings.indices {
      model.entityMappings[index].draft = nil
      for place in model.entityMappings[index].attributeMappings.indices {
        model.entityMappings[index].attributeMappings[place].draft = nil
      }
      for place in model.entityMappings[index].relationshipMappings.indices {
        model.entityMappings[index].relationshipMappings[place].draft = nil
      }
    }
    return model
  }
}
