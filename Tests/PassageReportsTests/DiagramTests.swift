import PassageMappings
import PassageModels
import PassageProjects
import Testing

@testable import PassageReports

/// Drawings of models, mapping models and histories.
struct DiagramTests {
  private static let model = Model(
    name: "Shop 2",
    entities: [
      Entity(
        name: "Order", attributes: [Attribute(name: "date", type: .date, isOptional: false)],
        relationships: [
          Relationship(
            name: "items", destinationEntityName: "Item", inverseName: "order", maximumCount: 0,
            isOrdered: true, deleteRule: .cascade)
        ]),
      Entity(
        name: "Item", isAbstract: true,
        relationships: [
          Relationship(
            name: "order", destinationEntityName: "Order", inverseName: "items", isOptional: false)
        ]),
      Entity(name: "Gift", parentName: "Item"),
    ])

  // MARK: Texts

  @Test func `a model in Mermaid's language`() {
    #expect(
      Diagram(Self.model, counts: ["Order": 1_200]).mermaid
        == """
        ---
        title: "The model “Shop 2”"
        ---
        flowchart LR
          n0["Gift<br/>is a Item, 0 objects"]
          n1["Item<br/>abstract<br/>order: 1..1 Order"]
          n2["Order<br/>1,200 objects<br/>date: date, required<br/>items: 0..#42; Item, ordered"]
          n0 -.->|"is a"| n1
          n1 -->|"order 1..1, items 0..#42; ordered"| n2

        """.replacing(", 0 objects", with: ""))
  }

  @Test func `a model in Graphviz's language`() {
    #expect(
      Diagram(Self.model).dot == """
        digraph passage {
          rankdir=LR;
          label="The model “Shop 2”";
          labelloc=t;
          fontname="Helvetica";
          node [shape=box, fontname="Helvetica", fontsize=11];
          edge [fontname="Helvetica", fontsize=10];
          n0 [label="Gift\\lis a Item\\l"];
          n1 [label="Item\\labstract\\lorder: 1..1 Order\\l", style=dashed];
          n2 [label="Order\\ldate: date, required\\litems: 0..* Item, ordered\\l"];
          n0 -> n1 [label="is a", style=dashed, arrowhead=onormal];
          n1 -> n2 [label="order 1..1, items 0..* ordered"];
        }

        """)
  }

  @Test func `a mapping model in Mermaid's language`() {
    let mapping = MappingModel(
      name: "First", source: "1", destination: "2",
      entityMappings: [
        .copy("Order", filter: "date != nil", mergeBy: "$source.date"), .remove("Draft"),
        .custom("Order", to: "Bill", policy: "BillPolicy"),
      ])
    #expect(
      Diagram(mapping).mermaid == """
        ---
        title: "The mapping model “First” from “1” to “2”"
        ---
        flowchart LR
          n0(["OrderToOrder<br/>copy<br/>filter: date #33;#61; nil<br/>merge by: #36;source.date\
        <br/>keeps: first"])
          n1["Order<br/>in “1”"]
          n2["Order<br/>in “2”"]
          n3(["Draft<br/>remove"])
          n4["Draft<br/>in “1”"]
          n5(["OrderToBill<br/>custom<br/>policy: BillPolicy"])
          n6["Bill<br/>in “2”"]
          n1 --> n0
          n0 --> n2
          n4 --> n3
          n1 --> n5
          n5 --> n6

        """)
  }

  @Test func `a history in Graphviz's language`() {
    let history = History(
      versions: ["1", "2", "3"].map { .init(name: $0, model: "Shop \($0).json") },
      steps: [
        .init(from: "1", to: "2", mappings: ["First"]), .init(from: "1", to: "3", mappings: []),
        .init(from: "3", to: "2", mappings: ["Back", "Again"]),
      ])
    let diagram = Diagram(history)
    #expect(diagram.nodes.map(\.column) == [0, 2, 2, 1, 1, 3])
    let lines = diagram.dot.split(separator: "\n").filter { $0.hasPrefix("  n") }.dropFirst()
    #expect(
      lines.map(String.init) == [
        #"  n0 [label="1\lShop 1.json\l"];"#, #"  n1 [label="2\lShop 2.json\l"];"#,
        #"  n2 [label="3\lShop 3.json\l"];"#,
        #"  n3 [label="1 → 2\l1 pass\lpass 1: First\l", style=rounded];"#,
        #"  n4 [label="1 → 3\linferred\l", style=rounded];"#,
        #"  n5 [label="3 → 2\l2 passes\lpass 1: Back\lpass 2: Again\l", style=rounded];"#,
        #"  n0 -> n3 [label=""];"#, #"  n3 -> n1 [label=""];"#, #"  n0 -> n4 [label=""];"#,
        #"  n4 -> n2 [label=""];"#, #"  n2 -> n5 [label=""];"#, #"  n5 -> n1 [label=""];"#,
      ])
  }

  // MARK: Hostile names

  private static let names = [
    "\"]; click n0 \"javascript:x\"", "a\\", "\\\"", "x\ny --> z", "`md`", "%%{init}%%", "#quot;",
    "</svg><script>", "&quot;", "\u{0}\u{1B}\u{202E}", "a];}\ndigraph{", "\\N\\G", "</title>",
  ]

  private static func hostile(_ name: String) -> Diagram {
    var diagram = Diagram(title: name)
    diagram.nodes = Diagram.Node.Kind.allCases.map {
      Diagram.Node($0, name, note: name, rows: [.init(name, name, title: name), .init(name)])
    }
    diagram.edges = [
      .init(.relationship, from: 0, to: 1, fromRow: 0, toRow: 1, label: name),
      .init(.inheritance, from: 1, to: 1, label: name), .init(.flow, from: 2, to: 0, label: name),
    ]
    return diagram
  }

  @Test(arguments: names)
  func `a name cannot leave its quotation marks`(_ name: String) throws {
    let diagram = Self.hostile(name)
    // As many lines as for a harmless name, and quotation marks only around texts.
    let plain = Self.hostile("a")
    for (text, harmless) in [(diagram.mermaid, plain.mermaid), (diagram.dot, plain.dot)] {
      #expect(text.split(separator: "\n").count == harmless.split(separator: "\n").count)
      let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
      #expect(controls.isEmpty)
    }
    for line in diagram.mermaid.split(separator: "\n").dropFirst(4) {
      #expect(line.count { $0 == "\"" } == 2)
      #expect(!line.replacing("<br/>", with: "").contains("<"))
    }
    for line in diagram.dot.split(separator: "\n") {
      #expect(Self.isQuotedWell(line), "\(line)")
    }
    let svg = diagram.svg
    #expect(ClosedElements.mistakes(in: svg) == [])
    #expect(!svg.contains("<script"))
  }

  /// Whether every string of a line of Graphviz ends, and nothing but the language is outside of one.
  private static func isQuotedWell(_ line: Substring) -> Bool {
    var isInside = false
    var isEscaped = false
    var outside = ""
    for character in line {
      if isEscaped {
        isEscaped = false
      } else if isInside, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isInside.toggle()
      } else if !isInside {
        outside.append(character)
      }
    }
    let words = outside.wholeMatch(of: /[a-z0-9\[\]=,;>{} \-]*/.ignoresCase())
    return !isInside && !isEscaped && words != nil
  }

  // MARK: Layout

  @Test(arguments: [1, 2, 30, 200])
  func `boxes do not overlap`(_ count: Int) {
    let entities = (0..<count).map { number in
      Entity(
        name: "E\(number)",
        parentName: number % 9 == 4 ? "E\(number / 2)" : nil,
        attributes: (0..<(number % 17)).map { Attribute(name: "a\(number)_\($0)", type: .string) },
        relationships: number % 4 == 3
          ? []
          : [
            Relationship(name: "r\(number)", destinationEntityName: "E\((number * 7 + 3) % count)")
          ])
    }
    let layout = DiagramLayout(Diagram(Model(name: "m", entities: entities)))
    #expect(layout.boxes.count == count)
    for column in Dictionary(grouping: layout.boxes, by: \.x).values {
      let boxes = column.sorted { $0.y < $1.y }
      for (upper, lower) in zip(boxes, boxes.dropFirst()) {
        #expect(upper.y + upper.height < lower.y)
      }
    }
    #expect(layout.boxes.allSatisfy { $0.x + $0.width < layout.width })
    #expect(layout.boxes.allSatisfy { $0.y > 0 && $0.y + $0.height < layout.height })
    #expect(layout.width < layout.height * 6 && layout.height < max(1_000, layout.width * 6))
  }

  @Test func `a diagram of nothing is a diagram`() {
    let diagram = Diagram(Model(name: "empty", entities: []))
    #expect(ClosedElements.mistakes(in: diagram.svg) == [])
    #expect(diagram.dot.hasSuffix("}\n"))
    #expect(diagram.mermaid.hasSuffix("flowchart LR\n"))
  }
}
