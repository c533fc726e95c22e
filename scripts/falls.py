#!/usr/bin/env python3
"""Counts falls of the acting policy in run folders.

    scripts/falls.py FOLDER...          # run folders, or folders with run folders in them

A fall is a mean return of training episodes below half of a level after it had reached that level, 75 % of the expert's
return; it is counted once until the level is reached again. Steps are watched from the first time at the level. Rates are
per million steps, with exact Poisson intervals (95 %). Runs and forks whose settings differ in more than their seeds and
numbers are different arms. See docs/design/stability.md.

With --after 0.9 steps and falls count from a run's first evaluation at 90 % of the expert's return, as in the tables of
`./revealed reproduce table1` and `./revealed imitate --seeds`. The expert's return is the mean of the demonstrations, which
result.json has; where the table takes it from experts.json, give that return as --expert to count the same.

A fork falls at its first fall after the step it was forked at; the level may have been reached before, in the original.
The share is that of forks that fall, with Clopper-Pearson and Wilson intervals (95 %). It leaves out two kinds of forks,
which have columns of their own:
  censored     those that end before the steps of --within, or have no result yet where --within is not given, whether
               they fell or not
  below level  those that are below the level since their original, or since a fall of their original, and never reach it

Needs nothing but Python 3.
"""

import argparse
import csv
import json
import math
import pathlib
import sys

NUMBERS = {"seed", "fork-number", "device"}  # in which runs of an arm may differ


def fail(problem):
    sys.exit("falls.py: " + problem)


def root_of(function, low, high):
    """Where a function that falls from above zero to below it crosses zero."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


def poisson_below(count, mean):
    """P(X <= count)."""
    term = total = math.exp(-mean)
    for k in range(1, count + 1):
        term *= mean / k
        total += term
    return total


def poisson_interval(count):
    most = 10 * count + 50
    low = 0.0 if count == 0 else root_of(lambda m: poisson_below(count - 1, m) - 0.975, 0, most)
    return low, root_of(lambda m: poisson_below(count, m) - 0.025, 0, most)


def binomial_below(count, n, p):
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(count + 1))


def clopper_pearson(count, n):
    low = 0.0 if count == 0 else root_of(lambda p: binomial_below(count - 1, n, p) - 0.975, 0, 1)
    high = 1.0 if count == n else root_of(lambda p: binomial_below(count, n, p) - 0.025, 0, 1)
    return low, high


def wilson(count, n, z=1.959964):
    centre = (count + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(count * (n - count) / n + z * z / 4)
    return max(0.0, centre - half), min(1.0, centre + half)


def known(lines):
    return [(step, value) for step, value in lines if value is not None and not math.isnan(value)]


def training_lines(run):
    """(step, return) of training and of evaluations, from lines of metrics.jsonl where these are known; the last step."""
    found, tested = [], []
    for number, text in enumerate((run / "metrics.jsonl").read_text().splitlines(), 1):
        try:
            line = json.loads(text)
        except json.JSONDecodeError as e:
            fail(f"{run / 'metrics.jsonl'}, line {number}: {e}")
        step = line.get("steps", line.get("step"))
        found.append((step, line.get("episodeTrueReturn", line.get("episodeReturn"))))
        tested.append((step, line.get("trueReturn", line.get("testReturn"))))
    return known(found), known(tested), found[-1][0] if found else 0


def table_lines(run, source):
    """(step, return) of each row of a table where a return is known."""
    name, column = ("curve.csv", 1) if source == "test" else ("diagnose.csv", "trainingReturn")
    with open(run / name, newline="") as file:
        rows = list(csv.reader(file))
    column = rows[0].index(column) if isinstance(column, str) else column
    return known((int(float(row[0])), float(row[column]) if row[column] else None) for row in rows[1:])


class Run:
    def __init__(self, folder, arguments):
        self.folder = folder
        self.settings = json.loads((folder / "spec.json").read_text())["settings"]
        training, evaluations, self.end = training_lines(folder)
        self.lines = training if arguments.source == "training" else table_lines(folder, arguments.source)
        at = self.forked_at()
        if arguments.source == "diagnose" and at is not None:  # its table begins with the fork
            self.lines = [line for line in training if line[0] <= at] + [line for line in self.lines if line[0] > at]
        self.expert = arguments.expert
        if self.expert is None and (folder / "result.json").exists():
            self.expert = json.loads((folder / "result.json").read_text()).get("expertReturn")
        if self.expert is None:
            fail(f"{folder} does not say what the expert returns (it has no result yet): give --expert")
        self.level = arguments.level * self.expert
        self.begin = None  # the step from which falls count; None for the first at the level
        if arguments.after is not None:
            reached = [step for step, value in evaluations if value >= arguments.after * self.expert]
            self.begin = reached[0] if reached else math.inf

    def forked_at(self):
        fork = self.settings.get("fork")
        return None if fork is None else int(str(fork).rsplit("@", 1)[1]) * int(self.settings.get("block", 1))

    def falls(self):
        """Steps of falls, and how many steps were watched."""
        first, standing, falls = self.begin, False, []
        for step, value in self.lines:
            if value >= self.level:
                standing = True
                first = step if first is None else first
            elif standing and value < self.level / 2:
                standing = False
                if step > first:
                    falls.append(step)
        watched = first is not None and first != math.inf and self.lines
        return falls, max(0, self.lines[-1][0] - first) if watched else 0

    def after_fork(self, within):
        """What became of a fork ("censored", "below level", "falls" or "stands"), and the step of its end or its fall."""
        at = self.forked_at()
        finished = (self.folder / "result.json").exists() if within is None else self.end >= at + within
        if not finished:
            return "censored", self.end
        last = self.end if within is None else at + within
        standing, stood = False, False
        for step, value in self.lines:
            if step > last:
                break
            if value >= self.level:
                standing = True
            elif standing and value < self.level / 2:
                standing = False
                if step > at:
                    return "falls", step
            stood = standing if step <= at else stood or standing
        return "stands" if stood else "below level", last


def run_folders(paths):
    for path in map(pathlib.Path, paths):
        if (path / "metrics.jsonl").exists() and (path / "spec.json").exists():
            yield path
        elif path.is_dir():
            inner = [each for each in sorted(path.iterdir()) if (each / "metrics.jsonl").exists()]
            if not inner:
                fail(f"{path} holds no run")
            yield from inner
        else:
            fail(f"there is no folder {path}")


def arms_of(runs):
    """Runs by the settings in which arms differ, in words."""
    names = {name for run in runs for name in run.settings} - NUMBERS
    texts = lambda name: {json.dumps(run.settings.get(name)) for run in runs}
    differing = sorted(name for name in names if len(texts(name)) > 1)
    arms = {}
    for run in runs:
        words = [f"{name} {run.settings[name]}" for name in differing if name in run.settings]
        arms.setdefault(", ".join(words) or "all", []).append(run)
    return arms


def show(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--expert", type=float, help="return of the expert (default: as the result of a run says)")
    parser.add_argument("--level", type=float, default=0.75, help="share of it that counts as standing (default: 0.75)")
    parser.add_argument(
        "--after", type=float, help="count from the first evaluation at this share of it (default: from the level)"
    )
    parser.add_argument("--within", type=int, help="steps after the fork that count (default: all)")
    parser.add_argument(
        "--source",
        choices=["training", "test", "diagnose"],
        default="training",
        help="returns of training episodes (metrics.jsonl), of evaluations (curve.csv), or of the last 5,000 steps at"
        " each measurement (diagnose.csv)",
    )
    parser.add_argument("--each", action="store_true", help="name the falls of each run, too")
    arguments = parser.parse_args()
    runs = [Run(folder, arguments) for folder in run_folders(arguments.folders)]
    forks = [run for run in runs if run.forked_at() is not None]
    whole = [run for run in runs if run.forked_at() is None]
    if arguments.each:
        for run in whole:
            falls, watched = run.falls()
            print(f"{run.folder}: watched {watched}, falls at {', '.join(map(str, falls)) or 'no step'}")
        for run in forks:
            what, step = run.after_fork(arguments.within)
            print(f"{run.folder}: forked at {run.forked_at()}, {what}{f' at {step}' if what in ('censored', 'falls') else ''}")
    if whole:
        rows = [("arm", "runs", "steps watched", "falls", "per million", "interval")]
        for arm, members in arms_of(whole).items():
            found = [run.falls() for run in members]
            count, watched = sum(len(falls) for falls, _ in found), sum(steps for _, steps in found)
            low, high = poisson_interval(count)
            rate = lambda falls: f"{falls / watched * 1e6:.2f}" if watched else "-"
            rows.append((arm, str(len(members)), str(watched), str(count), rate(count), f"{rate(low)} to {rate(high)}"))
        show(rows)
    if forks:
        if whole:
            print()
        rows = [("arm", "forks", "censored", "below level", "fall", "share", "Clopper-Pearson", "Wilson")]
        for arm, members in arms_of(forks).items():
            found = [run.after_fork(arguments.within)[0] for run in members]
            counts = [found.count(what) for what in ("censored", "below level", "falls")]
            count, n = found.count("falls"), found.count("falls") + found.count("stands")
            shares = ("-", "-", "-")
            if n:
                intervals = (clopper_pearson(count, n), wilson(count, n))
                shares = (f"{count / n:.2f}", *(f"{low:.2f} to {high:.2f}" for low, high in intervals))
            rows.append((arm, str(len(members)), *map(str, counts), *shares))
        show(rows)


if __name__ == "__main__":
    main()
