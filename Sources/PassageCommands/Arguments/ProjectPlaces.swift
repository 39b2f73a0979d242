/// The places of the project's files, as a call names them.
struct ProjectPlaces: Equatable {
  /// The folder with the history; `nil` for `Migrations`.
  var migrations: String?
  /// The folder with the mapping models; `nil` for `Mappings`.
  var mappingsDir: String?
  /// Further models.
  var models: [String] = []
}
