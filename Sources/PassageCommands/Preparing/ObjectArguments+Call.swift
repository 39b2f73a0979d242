internal import Passage

extension ObjectArguments {
  /// What is asked; `nil` when the call does not say it.
  func call(
    in places: ProjectPlaces, codes: [String], _ mistakes: inout CallMistakes
  ) -> ObjectCall? {
    if !codes.isEmpty {
      mistakes.add(
        Diagnostic(
          "CMD-075", "codes and an object are both to be explained",
          reason: "\(codes.joined(separator: ", ")) is read as a code",
          remedy: "give the codes alone, or --entity and --key without codes"))
    }
    guard let entity, let key else {
      mistakes.add(
        Diagnostic(
          "CMD-076", "\(entity == nil ? "--entity" : "--key") is not given",
          reason: "an object is named by its entity and its key",
          remedy: "give both: --entity NAME --key NUMBER; keys are listed by: migrate select "
            + "--store FILE --entity NAME --keys"))
      return nil
    }
    return ObjectCall(
      store: store, source: source, entity: entity, key: key, mappings: mappings, version: to,
      isInferring: infer, places: places)
  }
}
