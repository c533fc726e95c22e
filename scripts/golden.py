#!/usr/bin/env python3
"""Freezes and compares the numbers of the commands that scripts/golden.sh runs.

    golden.py freeze OUTDIR FILE     write fingerprints of all outputs below OUTDIR (FILE: .json or .json.gz)
    golden.py compare FILE OUTDIR    exit 1 where a frozen number is missing or changed

Names, order and nesting of keys may change and numbers may be added; no frozen number may vanish or change by a bit.
- JSON, JSONL, CSV, LaTeX and printed text: the multiset of a document's numbers, as exact doubles. Clocks, versions,
  thread counts and process ids are left out. In a document of more than LONG numbers, long arrays and columns are
  kept as a hash, and must be found again whole.
- safetensors, NPZ: a hash per tensor or array; metadata is ignored. ONNX, HDF5: a hash of the file.
- spec.json (whose form may change) and SVG (whose positions depend on the widths of words) are compared as well, but
  a difference there is only noted.
Only the standard library is used. OUTDIR may hold only some of the commands: the others are skipped with a note.
"""

import collections
import csv
import gzip
import hashlib
import io
import json
import math
import pathlib
import re
import struct
import sys
import zipfile

LONG = 5000  # numbers of a document, above which arrays are hashed
ARRAY = 64  # shorter arrays are never hashed

CLOCK = re.compile(
    r"seconds|persecond|millis|nanos|timeshares|timestamp|^date$|started|elapsed"
    r"|^java|version|threads|processors|^pid$|^commit$|^command$"
)
CLOCK_LINE = re.compile(r"second|minute|\bs\b|\bms\b|threads|version|Report:")
IGNORED_FILES = re.compile(r"(^|/)(checkpoint/|seconds\.json$|stderr\.txt$|first\.txt$|report\.html$|events\.out)")
SOFT = re.compile(r"(\.svg|(^|/)spec\.json)$")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|NaN|[-+]?Infinity")


def as_number(text):
    """The double that a text is, or None."""
    return float(text) if NUMBER.fullmatch(text) else None


def clean(key):
    return re.sub(r"[^a-z]", "", key.lower())


def collect(value, path, groups):
    """Adds the numbers in a JSON value to groups, by the path of their keys (array indices left out)."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not CLOCK.search(clean(key)):
                collect(inner, path + "." + key if path else key, groups)
    elif isinstance(value, list):
        for inner in value:
            collect(inner, path, groups)
    elif isinstance(value, bool) or value is None:
        return
    else:
        number = as_number(value) if isinstance(value, str) else float(value)
        if number is not None:
            groups[path].append(number)


def numbers_of(name, text):
    """The numbers of a document: a list for every key or column."""
    groups = collections.defaultdict(list)
    if name.endswith(".json"):
        collect(json.loads(text), "", groups)
    elif name.endswith(".jsonl"):
        for line in text.splitlines():
            collect(json.loads(line), "", groups)
    elif name.endswith(".csv"):
        rows = list(csv.reader(io.StringIO(text)))
        header = rows[0] if rows else []
        for row in rows:
            for column, field in enumerate(row):
                key = header[column] if column < len(header) else ""
                number = as_number(field)
                if number is not None and not CLOCK.search(clean(key)):
                    groups[key].append(number)
    else:
        for line in text.splitlines():
            if not CLOCK_LINE.search(line):
                groups["text"] += map(float, NUMBER.findall(line))
    return groups


def sha(data):
    return hashlib.sha256(data).hexdigest()


def bits(number):
    return struct.pack(">d", number).hex()


def hash_of(numbers):
    return "%d %s" % (len(numbers), sha("\n".join(sorted(map(bits, numbers))).encode()))


def fingerprint(name, path):
    """Of one file: its kind and what of it must be found again. None for files that are not compared."""
    data = path.read_bytes()
    if name.endswith(".safetensors"):
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        start = 8 + size
        return {
            "tensors": {
                tensor: sha(data[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]])
                for tensor, entry in header.items()
                if tensor != "__metadata__"
            }
        }
    if name.endswith(".npz"):
        with zipfile.ZipFile(path) as archive:
            return {"tensors": {entry: sha(archive.read(entry)) for entry in archive.namelist()}}
    if name.endswith((".onnx", ".hdf5", ".svg")):
        return {"tensors": {"file": sha(data)}}
    if name.endswith((".json", ".jsonl", ".csv", ".tex", ".txt")):
        groups = numbers_of(name, data.decode())
        total = sum(map(len, groups.values()))
        result = {"numbers": {}, "arrays": {}}
        for key, numbers in sorted(groups.items()):
            if total > LONG and len(numbers) > ARRAY:
                result["arrays"][key] = hash_of(numbers)
            else:
                result["numbers"][key] = [
                    n if math.isfinite(n) else json.dumps(n) for n in sorted(numbers, key=lambda n: (n != n, n))
                ]
        return {kind: found for kind, found in result.items() if found}
    return None


def files_of(folder):
    """The files of a command that are compared, by name."""
    names = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path for name, path in sorted(names.items()) if not IGNORED_FILES.search(name)}


def commands_of(outdir):
    return sorted(path for path in outdir.iterdir() if path.is_dir() and not path.is_symlink())


def freeze(outdir, file):
    frozen = {}
    for command in commands_of(outdir):
        prints = {name: fingerprint(name, path) for name, path in files_of(command).items()}
        frozen[command.name] = {name: found for name, found in prints.items() if found}
    text = "{\n" + ",\n".join(
        "%s: {\n%s\n}"
        % (
            json.dumps(command),
            ",\n".join("%s: %s" % (json.dumps(n), json.dumps(f, separators=(",", ":"))) for n, f in prints.items()),
        )
        for command, prints in frozen.items()
    ) + "\n}\n"
    if file.name.endswith(".gz"):
        with open(file, "wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as out:
            out.write(text.encode())
    else:
        file.write_text(text)
    print("%d commands, %d files, %d bytes" % (len(frozen), sum(map(len, frozen.values())), file.stat().st_size))
    return 0


def missing(frozen, name, path):
    """What of a frozen fingerprint a file lacks, in words."""
    problems = []
    if "tensors" in frozen:
        actual = fingerprint(name, path)["tensors"]
        for tensor, digest in frozen["tensors"].items():
            if digest not in actual.values():
                problems.append("%s: %s" % (tensor, "other bytes" if tensor in actual else "missing"))
        return problems
    groups = numbers_of(name, path.read_text())
    hashes = {hash_of(numbers) for numbers in groups.values()}
    for key, digest in frozen.get("arrays", {}).items():
        if digest not in hashes:
            problems.append("%s: no array has the frozen %s numbers" % (key, digest.split()[0]))
    left = collections.Counter(bits(number) for numbers in groups.values() for number in numbers)
    for key, numbers in frozen.get("numbers", {}).items():
        for number in numbers:
            pattern = bits(float(number))
            if left[pattern] > 0:
                left[pattern] -= 1
            else:
                now = groups.get(key, [])
                problems.append("%s: %r is missing%s" % (key, number, "; now %s" % now[:3] if now else ""))
    return problems


def compare(file, outdir):
    text = gzip.decompress(file.read_bytes()) if file.name.endswith(".gz") else file.read_bytes()
    frozen = json.loads(text)
    failures, skipped, noted = 0, [], 0
    for command, files in frozen.items():
        folder = outdir / command
        if not folder.is_dir():
            skipped.append(command)
            continue
        present = files_of(folder)
        bad, soft = [], []
        for name, prints in files.items():
            problems = missing(prints, name, present[name]) if name in present else ["no such file"]
            if SOFT.search(name):
                soft += ["%s: %s" % (name, problem) for problem in problems]
            else:
                bad += ["%s: %s" % (name, problem) for problem in problems]
        verdict = "FAILED (%d)" % len(bad) if bad else "same"
        print("%-12s %s%s" % (verdict, command, " (%d differences noted)" % len(soft) if soft else ""))
        for line in bad[:40]:
            print("    " + line)
        if len(bad) > 40:
            print("    ... and %d more" % (len(bad) - 40))
        for line in soft[:5]:
            print("    note: " + line)
        failures += bool(bad)
        noted += len(soft)
    if skipped:
        print("skipped, not in %s: %s" % (outdir, " ".join(skipped)))
    print("golden: %d commands, %d differ, %d skipped, %d differences noted" % (len(frozen), failures, len(skipped), noted))
    return 1 if failures or len(skipped) == len(frozen) else 0


def main(args):
    if len(args) == 3 and args[0] == "freeze":
        return freeze(pathlib.Path(args[1]), pathlib.Path(args[2]))
    if len(args) == 3 and args[0] == "compare":
        return compare(pathlib.Path(args[1]), pathlib.Path(args[2]))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
