#!/usr/bin/env python3
"""Compares the values of critics with discounted rewards.

    scripts/values.py FOLDER...         # run folders of imitate --diagnose, or folders with run folders in them
    scripts/values.py --trials STUDY    # the runs of a study in results/trials that has measurements there

For each measurement: value of the expert's rows / what they pay for ever, which is (the expert's reward + temperature x
entropy of the policy) / (1 - discount). Critics that agree with the reward have the same number twice; a value that grows
away from it is overestimated. See docs/design/preset-trials.md.

Needs nothing but Python 3.
"""
import argparse
import csv
import gzip
import json
import pathlib
import sys

TRIALS = pathlib.Path(__file__).resolve().parent.parent / "results" / "trials"


def of_folder(run):
    discount = json.loads((run / "spec.json").read_text())["settings"]["discount"]
    with open(run / "metrics.jsonl") as lines:
        entropies = {m["steps"]: m["entropy"] for m in map(json.loads, lines)}
    with open(run / "diagnose.csv") as rows:
        return list(csv.DictReader(rows)), entropies, discount


def of_trials(study):
    with gzip.open(TRIALS / "curves.csv.gz", "rt") as rows:
        curves = [row for row in csv.DictReader(rows) if row["run"].rpartition("-")[0] == study]
    with gzip.open(TRIALS / "scaled-inputs-diagnosis.csv.gz", "rt") as rows:
        measured = [row for row in csv.DictReader(rows) if row["run"].rpartition("-")[0] == study]
    runs = {}
    for row in measured:
        runs.setdefault(row["run"], []).append(row)
    for name, rows in runs.items():
        entropies = {int(c["steps"]): float(c["entropy"]) for c in curves if c["run"] == name}
        yield name, (rows, entropies, 0.99)


def show(name, rows, entropies, discount):
    cells = []
    for row in rows:
        step = int(row["step"])
        value = float(row["expertValue"])
        if step in entropies:
            pays = (float(row["expertReward"]) + float(row["temperature"]) * entropies[step]) / (1 - discount)
            cells.append(f"{step // 1000}k {value:.0f}/{pays:.0f}")
        else:
            cells.append(f"{step // 1000}k {value:.0f}/-")
    print(f"{name}: {'  '.join(cells)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--trials", metavar="STUDY")
    given = parser.parse_args()
    runs = list(of_trials(given.trials)) if given.trials else []
    for folder in given.folders:
        found = sorted(path.parent for path in folder.rglob("diagnose.csv"))
        if not found:
            sys.exit(f"values.py: no diagnose.csv in or below {folder}; run imitate with --diagnose")
        runs += [(str(run), of_folder(run)) for run in found]
    if not runs:
        sys.exit("values.py: no runs; name run folders, or --trials scaled-inputs or scaled-inputs-long")
    for name, run in runs:
        show(name, *run)


if __name__ == "__main__":
    main()
