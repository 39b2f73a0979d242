/// The style sheet of a page. Every pair of colours of a text and what is behind it has a contrast of
/// at least 4.5 to 1, in both schemes; `Tests/Browser` measures it.
enum PageStyle {
  static let sheet: Markup = colors + base + blocks + tables + drawing + print

  /// The style sheet of a diagram.
  static let diagram: Markup = colors + drawing + arrows

  private static let colors: Markup = """

    :root { color-scheme: light dark;
      --paper: #fdfdfc; --card: #ffffff; --ink: #1c1e21; --muted: #5b6168; --line: #e0e1e3;
      --soft: #f4f4f2; --good: #1c6b3f; --bad: #a8231c; --warn: #7a5200;
      --migrated: #7f9cc9; --merged: #a487c9; --filtered: #d9a441; --removed: #b39a84;
      --quarantined: #d0643f; --split: #4aa3a0; --added: #6fae6a; --lost: #c8433a; --planned: #a9b1bb; }
    @media screen and (prefers-color-scheme: dark) { :root {
      --paper: #16181b; --card: #1d2024; --ink: #e8e9eb; --muted: #a2a9b1; --line: #33373d;
      --soft: #22262b; --good: #7ccf9d; --bad: #ff9a90; --warn: #e8c06a;
      --migrated: #5f83bd; --merged: #8d6fba; --filtered: #b98a2e; --removed: #8f7a67;
      --quarantined: #c25a38; --split: #3a8f8c; --added: #569650; --lost: #d4564d; --planned: #6d7680; } }

    """

  private static let base: Markup = """
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
    main { max-width: 1160px; margin: 0 auto; padding: 40px 32px 64px; }
    h1 { font-size: 28px; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; margin: 0 0 8px; }
    h2 { font-size: 18px; font-weight: 650; margin: 0 0 14px; }
    h3 { font-size: 15px; font-weight: 600; margin: 0 0 8px; }
    h1, h2, h3, p, dd, li, summary, bdi { overflow-wrap: anywhere; }
    p { margin: 0 0 12px; }
    code, pre { font: 0.88em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
    pre { margin: 0; overflow-x: auto; }
    ul { margin: 0; padding: 0; list-style: none; }
    a { color: inherit; text-decoration-color: var(--muted); text-underline-offset: 3px; }
    section { border-top: 1px solid var(--line); padding: 26px 0 0; margin-top: 30px; }
    nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; }
    nav a { color: var(--muted); }
    footer { border-top: 1px solid var(--line); margin-top: 36px; padding-top: 16px; color: var(--muted);
      font-size: 13px; }

    """

  private static let blocks: Markup = """
    .kicker, .lead, .rest, .by, .way, .traits, .none { color: var(--muted); }
    .kicker { font-size: 13px; margin: 0 0 4px; }
    .outcome { font-size: 16px; margin: 0 0 22px; }
    .outcome strong { font-weight: 600; }
    .outcome.good strong { color: var(--good); }
    .outcome.bad strong { color: var(--bad); }
    .way { margin-left: 6px; }
    .numbers { display: flex; flex-wrap: wrap; gap: 14px 36px; margin: 0 0 22px; }
    .numbers b { display: block; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
    .numbers span { color: var(--muted); font-size: 13px; }
    .facts { display: grid; gap: 3px; margin: 0 0 18px; font-size: 14px; }
    .facts div { display: grid; grid-template-columns: 88px minmax(0, 1fr); gap: 12px; }
    .facts dt { color: var(--muted); }
    .facts dd { margin: 0; white-space: pre-line; }
    .finding { border-left: 3px solid var(--line); padding: 2px 0 2px 16px; margin: 0 0 18px; }
    .finding .facts { margin-bottom: 4px; }
    .finding pre { background: var(--soft); padding: 8px 10px; border-radius: 5px; }
    .finding.error { border-color: var(--bad); }
    .finding.warning { border-color: var(--warn); }
    .error .severity { color: var(--bad); }
    .warning .severity { color: var(--warn); }
    .change { margin: 0 0 22px; }
    section > :last-child { margin-bottom: 0; }
    .by { font-weight: 400; margin-left: 8px; font-size: 13px; }
    .rest { font-size: 13px; margin-top: 6px; }
    details { margin: 10px 0; }
    summary { cursor: pointer; color: var(--muted); font-size: 14px; padding: 2px 0; }
    details[open] > summary { margin-bottom: 10px; }
    .names { columns: 240px; column-gap: 28px; font-size: 14px; }
    .names li { break-inside: avoid; padding: 1px 0; }
    .names span { color: var(--muted); }
    .reasons li { padding: 2px 0; }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 12px 0; font-size: 13px;
      color: var(--muted); }
    .legend b { color: var(--ink); font-weight: 600; }
    span.swatch { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 6px; }

    """

  private static let tables: Markup = """
    .scroll { overflow-x: auto; max-width: 100%; }
    table { border-collapse: collapse; width: 100%; font-size: 14px; }
    th { text-align: left; font-weight: 500; color: var(--muted); font-size: 13px; white-space: nowrap; }
    th, td { padding: 6px 18px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    th:last-child, td:last-child { padding-right: 0; }
    td { min-width: 64px; max-width: 420px; overflow-wrap: break-word; }
    td bdi { overflow-wrap: break-word; }
    .sides td, .sides td bdi { overflow-wrap: anywhere; }
    .date { white-space: nowrap; }
    td b { font-weight: 600; }
    .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .number + td:not(.number), .number + th:not(.number) { padding-left: 10px; }
    tfoot td { border-bottom: 0; font-weight: 600; }
    .sides { table-layout: fixed; min-width: 560px; }
    .sides th:nth-child(3) { width: 40%; }
    .traits { font-size: 13px; }
    .trial { white-space: nowrap; } .trial + .traits { display: block; }
    .trial.passed { color: var(--good); } .trial.failed { color: var(--bad); font-weight: 650; }
    .trial.skipped { color: var(--muted); }

    """

  private static let drawing: Markup = """
    .drawing { padding-bottom: 8px; }
    svg { display: block; font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    svg text { fill: var(--ink); }
    svg .caption, svg .line { fill: var(--muted); font-size: 12px; }
    svg text.version { font-size: 15px; font-weight: 650; }
    svg .name { font-size: 13px; font-weight: 600; }
    svg rect { fill: var(--card); stroke: var(--line); }
    svg .entity rect { fill: var(--soft); }
    svg .behind rect { stroke: var(--lost); stroke-dasharray: 4 3; }
    svg rect.swatch { stroke: none; }
    svg .ribbon { fill-opacity: 0.55; stroke: none; }
    .migrated { fill: var(--migrated); } span.migrated { background: var(--migrated); }
    .merged { fill: var(--merged); } span.merged { background: var(--merged); }
    .filtered { fill: var(--filtered); } span.filtered { background: var(--filtered); }
    .removed { fill: var(--removed); } span.removed { background: var(--removed); }
    .quarantined { fill: var(--quarantined); } span.quarantined { background: var(--quarantined); }
    .split { fill: var(--split); } span.split { background: var(--split); }
    .added { fill: var(--added); } span.added { background: var(--added); }
    .lost { fill: var(--lost); } span.lost { background: var(--lost); }
    .planned { fill: var(--planned); }
    .passed { fill: var(--added); } .failed { fill: var(--lost); } .skipped { fill: var(--planned); }
    span.swatch.passed { background: var(--added); } span.swatch.failed { background: var(--lost); }
    span.swatch.skipped { background: var(--planned); }
    svg rect.migrated { fill: var(--migrated); } svg rect.merged { fill: var(--merged); }
    svg rect.filtered { fill: var(--filtered); } svg rect.removed { fill: var(--removed); }
    svg rect.quarantined { fill: var(--quarantined); } svg rect.split { fill: var(--split); }
    svg rect.added { fill: var(--added); } svg rect.lost { fill: var(--lost); }

    """

  private static let arrows: Markup = """
    svg rect.paper { fill: var(--paper); stroke: none; }
    svg .row { font-size: 12px; }
    svg .abstractEntity rect { stroke-dasharray: 4 3; fill: var(--paper); }
    svg .version rect { fill: var(--soft); }
    svg .mapping rect, svg .step rect { stroke: var(--migrated); }
    svg .rule { stroke: var(--line); fill: none; }
    svg .way { fill: none; stroke: var(--planned); stroke-width: 1.3; }
    svg .tip { fill: var(--planned); stroke: var(--planned); }
    svg .flow .way { stroke: var(--migrated); } svg .flow .tip { fill: var(--migrated); stroke: none; }
    svg .inheritance .way { stroke-dasharray: 5 4; } svg .inheritance .tip { fill: var(--paper); }

    """

  private static let print: Markup = """
    @media (max-width: 600px) {
      main { padding: 24px 16px 40px; }
      h1 { font-size: 23px; }
      .facts div { grid-template-columns: minmax(0, 1fr); gap: 0; }
    }
    @media print {
      :root { color-scheme: light; }
      main { max-width: none; padding: 0; }
      nav { display: none; }
      .scroll { overflow: visible; }
      td, td bdi, code { overflow-wrap: anywhere; }
      .sides { min-width: 0; }
      .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      svg { max-width: 100%; height: auto; }
      article, tr, figure { break-inside: avoid; }
      details:not([open])::details-content { content-visibility: visible; block-size: auto; }
    }

    """
}
