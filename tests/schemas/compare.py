#!/usr/bin/env python3
"""Compares the verdicts of our JSON Schemas with those of the official ones.

    pip install --no-deps datacontract-cli==1.2.8 dataproduct-cli==0.3.2
    pip install jsonschema pyyaml
    python tests/schemas/compare.py [--official FILE]... [--mutations N] [DOCUMENTS ...]

In: official schema files (`--official`, standard and version are read from the file's name; else those inside the two
packages above) and directories or files of ODCS and ODPS documents (else the repository's own). Each document is judged
under its own `apiVersion` and, relabelled, under every other version that has an official file; then thousands of small
changes of the valid ones are judged too. A document below a directory `valid` or `invalid` must also get that
verdict from our schema of its own version, official file or not.

Out: each document whose verdicts differ, and a last line `N passed, M failed`. Exit 1 when one differs, 2 when there is
nothing to compare with. `DIFFERENCES` lists, one by one, where an official file is known to deviate from its release.
"""

import argparse
import copy
import importlib.util
import json
import random
import re
import sys
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "schemas"
DOCUMENTS = [ROOT / "contracts-example" / "contracts", ROOT / "tests" / "schemas" / "documents"]
PACKAGES = [("datacontract", "odcs"), ("dataproduct", "odps")]

# Each standard's versions, newest first: the first is a whole schema, each other one a merge patch on the one before.
VERSIONS = {
    "odcs": ["3.2.0", "3.1.0", "3.0.2", "3.0.1", "3.0.0"],
    "odps": ["1.1.0", "1.0.0", "0.9.0"],
}
STANDARD_OF_KIND = {"DataContract": "odcs", "DataProduct": "odps"}

ABSENT = object()
# Schema, place in it, what the packaged file has there, what the release has, why.
DIFFERENCES = [
    ("odcs-3.1.0", "/$defs/SchemaObject/properties/logicalType/enum", ["object", "blob"], ["object"],
     "`blob` is an open proposal; the release takes `object` alone"),
    ("odcs-3.2.0", "/$defs/SchemaObject/properties/logicalType/enum", ["object", "blob"], ["object"],
     "`blob` is an open proposal; the release takes `object` alone"),
    ("odcs-3.2.0", "/$defs/SchemaBaseProperty/allOf/9/then/required", ["logicalTypeOptions"], ABSENT,
     "the release takes a `vector` without options"),
]


def merge_patch(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def own_schemas():
    """Our schema of each version, by name such as `odcs-3.1.0`."""
    schemas = {}
    for standard, versions in VERSIONS.items():
        schema = None
        for version in versions:
            name = f"{standard}-{version}"
            if schema is None:
                schema = json.loads((SCHEMAS / f"{name}.json").read_text())
            else:
                schema = merge_patch(schema, json.loads((SCHEMAS / f"{name}.patch.json").read_text()))
            schemas[name] = schema
    return schemas


def official_files(paths):
    """The official schema files by name, from the given paths or from the installed packages."""
    if not paths:
        for package, standard in PACKAGES:
            spec = importlib.util.find_spec(package)
            if not spec:
                return {}
            for folder in spec.submodule_search_locations:
                paths = paths + sorted((Path(folder) / "schemas").glob(f"{standard}-*.schema.json"))
    named = {}
    for path in paths:
        match = re.search(r"(odcs|odps).*?(\d+\.\d+\.\d+)", path.name)
        if match and match[2] in VERSIONS[match[1]]:
            named[f"{match[1]}-{match[2]}"] = path
    return named


def released(name, schema):
    """The official schema without its known differences from the release."""
    for schema_name, pointer, packaged, release, _ in DIFFERENCES:
        if schema_name != name:
            continue
        *parents, last = pointer.strip("/").split("/")
        holder = schema
        try:
            for step in parents:
                holder = holder[int(step) if isinstance(holder, list) else step]
        except (LookupError, ValueError):
            continue
        if holder.get(last) != packaged:
            continue
        if release is ABSENT:
            del holder[last]
        else:
            holder[last] = release
    return schema


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """PyYAML as the reference tools use it: dates stay text."""


Loader.yaml_implicit_resolvers = {
    first: [entry for entry in entries if entry[0] != "tag:yaml.org,2002:timestamp"]
    for first, entries in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_documents(places):
    """(path, standard, document) of every ODCS and ODPS document."""
    for place in places:
        files = sorted(f for f in place.rglob("*") if f.suffix in (".yaml", ".yml")) if place.is_dir() else [place]
        for path in files:
            try:
                document = yaml.load(path.read_text(encoding="utf-8"), Loader)
            except (yaml.YAMLError, UnicodeDecodeError):
                continue
            standard = STANDARD_OF_KIND.get(document.get("kind")) if isinstance(document, dict) else None
            if standard:
                yield path, standard, document


def own_name(standard, document):
    """The schema that the document asks for, else the newest."""
    version = str(document.get("apiVersion", "")).removeprefix("v")
    return f"{standard}-{version if version in VERSIONS[standard] else VERSIONS[standard][0]}"


def walk(node, path=()):
    """Every value below `node` with its path, `node` itself first."""
    yield path, node
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield from walk(child, (*path, key))


def focus(document, path):
    """The part of a document around one place, so that judging a change there is quick: (part, the place in it)."""
    if not path:
        return document, ()
    step, *rest = path
    child, inner = focus(document[step], rest)
    if isinstance(document, list):
        return ([child], (0, *inner)) if isinstance(child, (dict, list)) else (list(document), path)
    kept = {
        key: child if key == step else value
        for key, value in document.items()
        if key == step or not (isinstance(value, list) and value and isinstance(value[0], dict))
    }
    return kept, (step, *inner)


def replaced(document, path, value):
    """The document with another value at a place, or without the place when the value is `ABSENT`."""
    step, *rest = path
    changed = copy.copy(document)
    if rest:
        changed[step] = replaced(document[step], rest, value)
    elif value is ABSENT:
        del changed[step]
    else:
        changed[step] = value
    return changed


def mutations(document, pool, rng):
    """Every small change of a document, place by place: (what was changed, the changed part of the document)."""
    for full_path, _ in walk(document):
        part, path = focus(document, full_path)
        node = part
        for step in path:
            node = node[step]
        values = []
        if path:
            values = [("drop", ABSENT), ("null", None), ("other type", "x" if not isinstance(node, str) else 7)]
            values += [("other value", value) for value in rng.sample(VALUES, 1)]
            same_key = [value for key, value in pool if key == path[-1]]
            values += [("value from elsewhere", rng.choice(same_key))] if same_key else []
        if isinstance(node, str):
            values.append(("other text", "no such value"))
        elif isinstance(node, (int, float)):
            values.append(("negative", -1))
        elif isinstance(node, list):
            values += [("no item", []), ("item twice", node + node[:1])]
        changes = [(what, path, value) for what, value in values]
        if isinstance(node, dict):
            key, value = rng.choice(pool)
            changes += [("unknown key", (*path, "unknownKey"), "x"), ("key from elsewhere", (*path, key), value)]
        for what, place, value in changes:
            yield f"{what} at /{'/'.join(map(str, full_path))}", replaced(part, place, value)


VALUES = [True, -1, 0.5, 0, "", "v9.9", "a.b.c", [], [1], ["x", "y"], [1, 2], [2, 2], {}, {"x": 1}]


class Comparison:
    """Validators, compiled once, and the tally of what they said."""

    def __init__(self, official):
        self.own = {name: jsonschema.Draft201909Validator(schema) for name, schema in own_schemas().items()}
        for validator in self.own.values():
            validator.check_schema(validator.schema)
        self.official = {
            name: jsonschema.Draft201909Validator(released(name, json.loads(path.read_text())))
            for name, path in official.items()
        }
        self.passed = self.failed = 0

    def judge(self, name, document, expected, source, label):
        """Counts one verdict of ours, and says where it is not the expected one; true when ours is `valid`."""
        valid = self.own[name].is_valid(document)
        if valid == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{label}, {name}: {source} says {'valid' if expected else 'invalid'}, ours does not")
            validator = self.official.get(name) if valid else self.own[name]
            for error in list(validator.iter_errors(document))[:3] if validator else []:
                print(f"    /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        return valid


def main():
    """Runs the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--official", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--mutations", type=int, default=6000, metavar="N", help="most changes to judge per schema")
    parser.add_argument("--largest", type=int, default=1000, metavar="N", help="most values in a document to change")
    parser.add_argument("documents", type=Path, nargs="*", default=[place for place in DOCUMENTS if place.exists()])
    options = parser.parse_args()

    official = official_files(options.official)
    documents = list(read_documents(options.documents))
    if not official or not documents:
        print("no official schema or no document found; see the top of this file for the packages", file=sys.stderr)
        return 2

    comparison = Comparison(official)
    bases = {name: [] for name in official}
    pools = {standard: [] for standard in VERSIONS}
    for path, standard, document in documents:
        own = own_name(standard, document)
        for folder, expected in (("valid", True), ("invalid", False)):
            if folder in path.parts:
                comparison.judge(own, document, expected, "its folder", path)
        pools[standard] += [(at[-1], node) for at, node in walk(document) if at and isinstance(at[-1], str)]
        for name, validator in comparison.official.items():
            if not name.startswith(standard):
                continue
            labelled = document if name == own else {**document, "apiVersion": "v" + name.partition("-")[2]}
            expected = validator.is_valid(labelled)
            comparison.judge(name, labelled, expected, "the official schema", path)
            if expected and sum(1 for _ in walk(document)) <= options.largest:
                bases[name].append((path, labelled))

    rng = random.Random(20)
    for name, valid in bases.items():
        seen, changes = set(), []
        for path, document in valid:
            for change, changed in mutations(document, pools[name[:4]], rng):
                key = json.dumps(changed, sort_keys=True)
                if key not in seen:
                    seen.add(key)
                    changes.append((f"{path}: {change}", changed))
        for label, document in rng.sample(changes, min(options.mutations, len(changes))):
            expected = comparison.official[name].is_valid(document)
            comparison.judge(name, document, expected, "the official schema", label)

    print(f"{comparison.passed} passed, {comparison.failed} failed")
    return 1 if comparison.failed else 0


if __name__ == "__main__":
    sys.exit(main())
