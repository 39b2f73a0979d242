internal import ArgumentParser

/// What starts the shards of a fleet.
enum FleetEngine: String, ExpressibleByArgument, CaseIterable {
  case parallel
  case slurm
  case kubernetes
  case systemd
  case dask

  /// The file as it is kept, with the names of values in double braces.
  var template: String {
    let bytes =
      switch self {
      case .parallel: PackageResources.parallel_sh
      case .slurm: PackageResources.slurm_sh
      case .kubernetes: PackageResources.kubernetes_yaml
      case .systemd: PackageResources.systemd_service
      case .dask: PackageResources.dask_py
      }
    return String(decoding: bytes, as: UTF8.self)
  }
}
