import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// Every pair of types: a store becomes one of the first, then of the second, then of the first again,
/// and has the same objects.
@Suite struct RoundTripTests {
  private static let types: [String?] = [nil, "tables", "delimited", "keyed", "json-lines", "xml"]
  private static let pairs: [(String?, String?)] = types.flatMap { a in types.map { (a, $0) } }

  private static func name(_ type: String?) -> String {
    switch type {
    case "delimited": "csv"
    case "keyed": "records"
    case "json-lines": "jsonl"
    case "xml": "xml"
    case "tables": "sqlite3"
    default: "sqlite"
    }
  }

  private static let seed = RandomSeed.told(for: "RoundTripTests")

  @Test(arguments: pairs)
  func `every pair of types makes the round trip`(_ first: String?, _ second: String?) throws {
    let seed = Self.seed
    let folder = try TemporaryDirectory()
    var random = RandomStore(seed: seed)
    let start = folder.path("start.sqlite")
    let store = try TestStore(model: random.model, at: start)
    try random.fill(store)
    try store.close()
    let conversion = Conversion(model: random.model)
    let paths = [(first, "a"), (second, "b"), (first, "c")].map { type, name in
      (type, folder.path("\(name).\(Self.name(type))"))
    }
    var last = start
    for (type, path) in paths {
      try conversion.convert(last, to: path, as: type)
      last = path
    }
    let end = folder.path("end.sqlite")
    try conversion.convert(last, to: end, as: nil)
    #expect(
      try conversion.contents(end).differences(from: conversion.contents(start)) == [],
      "seed \(seed)")
    #expect(try StoreAudit(path: end, model: random.model).findings == [], "seed \(seed)")
    if ["delimited", "keyed", "json-lines"].contains(first) {
      #expect(
        FileManager.default.contents(atPath: paths[0].1)
          == FileManager.default.contents(atPath: paths[2].1), "seed \(seed)")
    }
  }
}
