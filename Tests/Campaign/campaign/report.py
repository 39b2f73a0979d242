"""What a campaign found, and how it is reported."""

import collections
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Finding:
    """One promise that was seen broken."""

    scenario: str
    what: str  # one short sentence: findings with the same one are told together
    how: str  # enough to make it again
    detail: str = ""


@dataclass
class Outcome:
    """What one trial, or one bundle of them, gave."""

    counts: collections.Counter = field(default_factory=collections.Counter)
    findings: list = field(default_factory=list)

    def add(self, other):
        self.counts.update(other.counts)
        self.findings.extend(other.findings)


class Report:
    """Gathers the outcomes of one campaign and prints them."""

    # So many examples of one kind of finding are printed, each when it is found, for a campaign may be
    # stopped; all are counted.
    EXAMPLES = 3
    # So many seconds lie between two lines about a long run.
    TELLS_EVERY = 60

    def __init__(self, name, seed):
        self.name = name
        self.seed = seed
        self.outcome = Outcome()
        self.examples = collections.Counter()
        self.started = self.told = time.monotonic()

    def add(self, outcome):
        self.outcome.add(outcome)
        for finding in outcome.findings:
            self._tell(finding)
        if time.monotonic() - self.told > self.TELLS_EVERY:
            self.told = time.monotonic()
            print(
                f"  {self.name}: {self._counts()}; {len(self.outcome.findings)} findings so far",
                file=sys.stderr, flush=True)

    def _tell(self, finding):
        self.examples[finding.what] += 1
        if self.examples[finding.what] <= self.EXAMPLES:
            detail = f"\n    {finding.detail}" if finding.detail else ""
            print(f"  {finding.what}: {finding.how}{detail}", flush=True)

    def _counts(self):
        return ", ".join(f"{count:,} {name}" for name, count in sorted(self.outcome.counts.items()))

    def finish(self):
        """Prints everything; gives the number of findings."""
        seconds = time.monotonic() - self.started
        findings = self.outcome.findings
        for group in self._groups():
            first = group[0]
            names = ", ".join(sorted({finding.scenario for finding in group}))
            print(f"FINDING [{self.name}] {first.what} ({len(group)} times: {names})")
        print(
            f"{self.name}: seed {self.seed}: {self._counts() or 'nothing ran'}; "
            f"{len(findings)} findings; {seconds:.1f} s", flush=True)
        return len(findings)

    def _groups(self):
        groups = collections.OrderedDict()
        for finding in self.outcome.findings:
            groups.setdefault(finding.what, []).append(finding)
        return sorted(groups.values(), key=len, reverse=True)
