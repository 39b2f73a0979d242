internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageValues

/// The pairs that a pass left out when it made the others of a relationship page by page.
struct JoinCount {
  /// Those of which only the first, or only the second end has become nothing.
  var lostAtFirst: Int64
  var lostAtSecond: Int64
  /// Those of which an end leads to no object of the source.
  var dangling: Int64
}

/// What a pass that made the pairs of a relationship page by page has recorded.
extension Journal {
  private static func name(_ what: String, _ link: JoinedLink) -> String {
    "joined:\(what):\(link.mappingPlan.index):\(link.relationship.relationship.name)"
  }

  /// The pairs that were left out; `nil` when no pass has made the others page by page.
  ///
  /// - Throws: `RUN-063` when no pass can have left out so many.
  func joinCount(of link: JoinedLink) throws -> JoinCount? {
    let journal = of(pass: link.mappingPlan.passIndex)
    guard let first = try journal.count(Self.name("first", link)),
      let second = try journal.count(Self.name("second", link)),
      let dangling = try journal.count(Self.name("dangling", link))
    else { return nil }
    return JoinCount(lostAtFirst: first, lostAtSecond: second, dangling: dangling)
  }

  func setJoinCount(_ count: JoinCount, of link: JoinedLink) throws {
    try setState(Self.name("first", link), .integer(count.lostAtFirst))
    try setState(Self.name("second", link), .integer(count.lostAtSecond))
    try setState(Self.name("dangling", link), .integer(count.dangling))
  }

  /// How many associations there were when the pairs were made.
  func associationCount(of link: JoinedLink) throws -> Int64? {
    try of(pass: link.mappingPlan.passIndex).state(Self.name("associations", link))?.integer
  }

  func setAssociationCount(_ count: Int64, of link: JoinedLink) throws {
    try setState(Self.name("associations", link), .integer(count))
  }

  /// Whether a pass has begun to make the pairs. One that was interrupted leaves them to SQL.
  func isBegun(_ link: JoinedLink) throws -> Bool {
    try state(Self.name("begun", link)) != nil
  }

  func setBegun(_ link: JoinedLink) throws { try setState(Self.name("begun", link), 1) }
}
