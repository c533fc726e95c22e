#!/usr/bin/env python3
"""Draws falls of the acting policy, and finds which measurement left its usual range first.

    scripts/fall_pictures.py results/trials/falls-diagnosis.csv.gz --out docs/design/pictures
    scripts/fall_pictures.py results/trials/falls-diagnosis.csv.gz --bands
    scripts/fall_pictures.py RUN/diagnose.csv --out FOLDER

The file has the columns of diagnose.csv, and a column `seed` where it holds several runs. The onset of a run's last fall,
t0, is its first measurement with a training return below --low after one at or above --high. A picture `fall-SEED.svg` shows
what was measured from 250,000 steps before t0 to 45,000 steps after it. --bands prints, for each column, the step (relative
to t0) of the first measurement after the reference period that is more than four standard deviations from the mean of that
period, 250,000 to 50,000 steps before t0. See docs/design/stability.md.

Needs nothing but Python 3.
"""

import argparse
import csv
import gzip
import math
import pathlib
import statistics
import sys

BEFORE, REFERENCE_END, AFTER = 250_000, 50_000, 45_000
DEVIATIONS = 4

# Title of a panel; columns with their name, colour and dashes.
BLUE, ORANGE, GREEN = "#2b83ba", "#d95f02", "#1b9e77"
PANELS = [
    ("true return of training episodes, mean of 5,000 steps", [("trainingReturn", "return", BLUE, "")]),
    (
        "values by the lowest critic, in units of the recovered reward",
        [
            ("valueMax", "highest on the probe", ORANGE, ""),
            ("valueMean", "mean on the probe", BLUE, ""),
            ("expertValue", "mean on the expert's rows", GREEN, "6 3"),
        ],
    ),
    ("absolute Bellman error on the probe, mean", [("bellmanMean", "error", BLUE, "")]),
    (
        "recovered reward per step",
        [("expertReward", "mean on the expert's rows", GREEN, "6 3"), ("constant", "its constant (last bias)", ORANGE, "")],
    ),
    ("entropy of the policy on the probe, nats", [("entropy", "entropy", BLUE, "")]),
    ("share of saturated actions on the probe, %", [("saturated", "share", BLUE, "")]),
]
WIDTH, LEFT, RIGHT, TOP, PANEL, GAP, BOTTOM = 720, 64, 16, 46, 84, 34, 46


def fail(problem):
    sys.exit("fall_pictures.py: " + problem)


def runs_of(file):
    """Measurements by seed, each a dictionary of numbers."""
    with (gzip.open(file, "rt", newline="") if str(file).endswith(".gz") else open(file, newline="")) as lines:
        reader = csv.DictReader(lines)
        needed = ["step"] + [column[0] for _, columns in PANELS for column in columns]
        missing = [name for name in needed if name not in (reader.fieldnames or [])]
        if missing:
            fail(f"{file} has no column {missing[0]}: give a diagnose.csv, as imitate --diagnose writes it")
        runs = {}
        for number, row in enumerate(reader, 2):
            seed = row.pop("seed", None) or "run"
            try:
                numbers = {name: float(text) if text else math.nan for name, text in row.items()}
            except (TypeError, ValueError):
                fail(f"{file}, line {number}: a cell is missing or not a number")
            runs.setdefault(seed, []).append(numbers)
    return runs


def onset_of(run, low, high):
    """The step of the first measurement of the last fall; none where there is none."""
    onset, standing = None, False
    for row in run:
        if row["trainingReturn"] >= high:
            standing = True
        elif standing and row["trainingReturn"] < low:
            standing, onset = False, row["step"]
    return onset


def first_outside(run, onset, column):
    """Mean and deviation of the reference period; step from t0 and deviations of the first measurement outside the band."""
    usual = [row[column] for row in run if onset - BEFORE <= row["step"] <= onset - REFERENCE_END]
    usual = [value for value in usual if not math.isnan(value)]
    if len(usual) < 2:
        fail(f"column {column} has too few measurements from {BEFORE} to {REFERENCE_END} steps before the fall")
    mean, deviation = statistics.mean(usual), statistics.stdev(usual)
    for row in run:
        if row["step"] > onset - REFERENCE_END and deviation > 0:
            distance = (row[column] - mean) / deviation
            if abs(distance) > DEVIATIONS:
                return mean, deviation, row["step"] - onset, distance
    return mean, deviation, None, None


def print_bands(seed, run, onset):
    print(f"seed {seed}, t0 at {onset:.0f} steps")
    print(f"{'column':20}{'mean':>12}{'deviation':>12}{'left at':>10}{'by':>8}")
    for column in run[0]:
        if column == "step":
            continue
        mean, deviation, at, distance = first_outside(run, onset, column)
        left, by = ("-", "-") if at is None else (f"{at:+.0f}", f"{distance:+.1f}")
        print(f"{column:20}{mean:12.4g}{deviation:12.3g}{left:>10}{by:>8}")
    print()


def ticks(low, high, about):
    """Round numbers from low to high, some `about` of them."""
    size = (high - low) / about
    power = 10 ** math.floor(math.log10(size))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= size)
    first = math.ceil(low / step - 1e-9)
    return [(first + i) * step for i in range(int((high - low) / step + 1e-9) + 2) if (first + i) * step <= high + 1e-9 * step]


def words(number):
    text = f"{number:,.6g}" if abs(number) < 1000 else f"{number:,.0f}"
    return text.replace("-", "\N{MINUS SIGN}")


def panel(rows, onset, title, columns, top, x):
    """One set of axes with its lines."""
    scale = 100 if columns[0][0] == "saturated" else 1
    values = [row[name] * scale for row in rows for name, *_ in columns if not math.isnan(row[name])]
    low, high = min(min(values), 0 if min(values) > 0 else min(values)), max(max(values), 0)
    margin = 0.04 * ((high - low) or 1)
    low, high = low - margin, high + margin
    y = lambda value: top + PANEL - (value - low) / (high - low) * PANEL
    end = WIDTH - RIGHT
    parts = [f'<text x="{LEFT}" y="{top - 7}" font-weight="bold">{title}</text>']
    for tick in ticks(low, high, 4):
        parts.append(f'<path class="grid" d="M{LEFT} {y(tick):.1f}H{end}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{words(tick)}</text>')
    parts.append(f'<path class="onset" d="M{x(onset):.1f} {top}V{top + PANEL}"/>')
    for name, _, colour, dashes in columns:
        points = [f"{x(row['step']):.1f} {y(row[name] * scale):.1f}" for row in rows if not math.isnan(row[name])]
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<path d="M{"L".join(points)}" fill="none" stroke="{colour}" stroke-width="1.6"{dashed}/>')
    if len(columns) > 1:
        at = LEFT + 8
        for _, label, colour, dashes in columns:
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
            parts.append(f'<path d="M{at} {top + 9}h20" stroke="{colour}" stroke-width="2"{dashed}/>')
            parts.append(f'<text x="{at + 25}" y="{top + 13}">{label}</text>')
            at += 45 + 6.1 * len(label)
    return parts


def picture(seed, run, onset):
    rows = [row for row in run if onset - BEFORE <= row["step"] <= onset + AFTER]
    first, last = onset - BEFORE, onset + AFTER
    x = lambda step: LEFT + (step - first) / (last - first) * (WIDTH - LEFT - RIGHT)
    height = TOP + len(PANELS) * (PANEL + GAP) - GAP + BOTTOM
    name = f"Walker2d, seed {seed}: fall at {onset / 1e6:.3f} million steps" if seed != "run" else f"Fall at {onset:,.0f} steps"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-label="{name}" font-family="Helvetica, Arial, \'DejaVu Sans\', sans-serif" font-size="11">',
        "<style>text{fill:#24292f}.paper{fill:#fff}.grid{stroke:#24292f;stroke-opacity:.14}"
        ".onset{stroke:#c0392b;stroke-dasharray:3 3}.usual{fill:#24292f;fill-opacity:.35}"
        "@media(prefers-color-scheme:dark){text{fill:#d6dbe1}.paper{fill:#0d1117}.grid{stroke:#d6dbe1;stroke-opacity:.2}"
        ".onset{stroke:#ff7b72}.usual{fill:#d6dbe1}}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        f'<text x="{LEFT}" y="18" font-size="13" font-weight="bold">{name}</text>',
    ]
    for number, (title, columns) in enumerate(PANELS):
        parts += panel(rows, onset, title, columns, TOP + number * (PANEL + GAP), x)
    foot = height - BOTTOM
    parts.append(f'<text x="{x(onset) + 4:.1f}" y="{TOP - 7}">t0</text>')
    start, end = x(onset - BEFORE), x(onset - REFERENCE_END)
    parts.append(f'<rect class="usual" x="{start:.1f}" y="{foot + 1}" width="{end - start:.1f}" height="3"/>')
    for tick in ticks(first, last, 7):
        parts.append(f'<text x="{x(tick):.1f}" y="{foot + 18}" text-anchor="middle">{tick / 1e6:.2f}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{foot + 36}" text-anchor="middle">'
        "steps of training, million (bar: reference period of the bands)</text>"
    )
    return "\n".join(parts + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="diagnose.csv of a run, or several with a column seed")
    parser.add_argument("--out", type=pathlib.Path, help="folder for the pictures")
    parser.add_argument("--bands", action="store_true", help="print when each column left its band")
    parser.add_argument("--low", type=float, default=2155, help="a training return below it is a fall (default: 2155)")
    parser.add_argument("--high", type=float, default=4310, help="one that had been reached before (default: 4310)")
    arguments = parser.parse_args()
    if arguments.out is None and not arguments.bands:
        fail("nothing to do: give --out FOLDER, --bands, or both")
    if not pathlib.Path(arguments.file).is_file():
        fail(f"there is no file {arguments.file}")
    for seed, run in runs_of(arguments.file).items():
        onset = onset_of(run, arguments.low, arguments.high)
        if onset is None:
            fail(f"{arguments.file}, seed {seed}: no training return below {arguments.low} after one of {arguments.high}")
        if arguments.bands:
            print_bands(seed, run, onset)
        if arguments.out is not None:
            arguments.out.mkdir(parents=True, exist_ok=True)
            (arguments.out / f"fall-{seed}.svg").write_text(picture(seed, run, onset), encoding="utf-8")


if __name__ == "__main__":
    main()
