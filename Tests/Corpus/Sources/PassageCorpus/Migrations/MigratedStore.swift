internal import Passage
internal import PassageTesting

/// The result of one migration, kept until the report is written.
struct MigratedStore {
  let path: String
  let model: Model
  let directory: TemporaryDirectory
  let report: MigrationReport
}
