package import PassageModels

extension AttributeType {
  /// The class that Core Data records for values if the model names none; `nil` for types that have
  /// none.
  package var usualValueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .objectID: "NSManagedObjectID"
    case .composite: "NSDictionary"
    case .undefined, .transformable: nil
    }
  }
}
