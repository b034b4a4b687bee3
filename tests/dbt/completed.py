"""Properties files completed to a project: what they name and do not bring comes as a stub.

Models get SQL, tests their macros (those of packages in a package), seeds a row, docs blocks a text;
models, sources and groups that are only referred to are added, so that `dbt parse` takes the project.
"""

import collections
import pathlib
import re

import yaml

from harness import write

BUILT_IN = {"not_null", "unique", "accepted_values", "relationships"}

PROJECT = """\
name: shop
version: '1.0.0'
profile: shop
models: {shop: {+meta: {house: main}, +tags: [ours]}}
sources: {shop: {+meta: {house: main}, +tags: [theirs]}}
"""

PROFILE = """\
shop:
  target: dev
  outputs:
    dev: {type: duckdb, path: shop.duckdb}
"""


def listed(roots, key):
    """The entries of a section in all files that have a name."""
    return [entry for root in roots for entry in root.get(key) or [] if entry.get("name")]


def each(value, key):
    """What stands under a key, at any depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key:
                yield inner
            yield from each(inner, key)
    elif isinstance(value, list):
        for item in value:
            yield from each(item, key)


def tests(roots):
    """The generic tests that are called, with the name of their package."""
    for key in ("tests", "data_tests"):
        for entries in each(roots, key):
            for entry in entries if isinstance(entries, list) else []:
                if isinstance(entry, dict):
                    entry = entry.get("test_name") or next(iter(entry))
                if isinstance(entry, str):
                    package, _, name = entry.rpartition(".")
                    yield package, name


def calls(text, function):
    """The arguments that are texts of the calls of a function."""
    call = rf"""\b{function}\(\s*['"]([^'"]+)['"]\s*(?:,\s*['"]([^'"]+)['"])?"""
    return sorted(set(re.findall(call, text)))


def sql(roots, text):
    """The files of models, and of those that are only referred to."""
    names = {name for section in ("models", "seeds", "snapshots") for name in (entry["name"] for entry in listed(roots, section))}
    for model in listed(roots, "models"):
        for version in model.get("versions") or [{}]:
            name = version.get("defined_in") or (f"{model['name']}_v{version['v']}" if version else model["name"])
            yield f"models/sql/{name}.sql", "select 1 as id\n"
    for first, second in calls(text, "ref"):
        if (second or first) not in names:
            yield f"models/sql/{second or first}.sql", "select 1 as id\n"


def macros(roots):
    """The files of the macros behind tests."""
    names = collections.defaultdict(set)
    for package, name in tests(roots):
        if package or name not in BUILT_IN:
            names[package].add(name)
    for package, known in names.items():
        folder = f"dbt_packages/{package}/" if package else ""
        stub = "{{% test {}(model) %}}{{% set given = kwargs %}}select 1 as id where false{{% endtest %}}\n"
        yield f"{folder}macros/stubs.sql", "".join(stub.format(name) for name in sorted(known))
        if package:
            yield f"{folder}dbt_project.yml", f"name: {package}\nversion: '1.0.0'\n"


def others(roots, text):
    """A properties file of the sources and groups that are only referred to."""
    known = {(source["name"], table["name"]) for source in listed(roots, "sources") for table in source.get("tables") or []}
    sources = collections.defaultdict(list)
    for source, table in calls(text, "source"):
        if table and (source, table) not in known:
            sources[source].append({"name": table})
    groups = {group for group in each(roots, "group") if isinstance(group, str)}
    groups -= {group["name"] for group in listed(roots, "groups")}
    root = {
        "sources": [{"name": name, "tables": tables} for name, tables in sources.items()],
        "groups": [{"name": group, "owner": {"name": group, "email": "x@shop.example"}} for group in sorted(groups)],
    }
    root = {key: entries for key, entries in root.items() if entries}
    if root:
        yield "models/sql/others.yml", yaml.safe_dump(root)


def complete(project, files):
    """Writes properties files and SQL, by their paths, and what is missing around them."""
    roots = [yaml.safe_load(text) or {} for path, text in files.items() if not path.endswith(".sql")]
    text = "\n".join(files.values())
    docs = [f"{{% docs {second or first} %}}\nAbout {second or first}.\n{{% enddocs %}}\n" for first, second in calls(text, "doc")]
    seeds = {f"seeds/{seed['name']}.csv": "id\n1\n" for seed in listed(roots, "seeds")}
    everything = {"dbt_project.yml": PROJECT, "profiles.yml": PROFILE, **files, **seeds}
    everything |= {"models/sql/docs.md": "".join(docs)} if docs else {}
    brought = {pathlib.Path(path).name for path in files}
    stubs = {path: text for path, text in sql(roots, text) if pathlib.Path(path).name not in brought}
    everything |= {**stubs, **dict(macros(roots)), **dict(others(roots, text))}
    write(project, everything)


def reduce(project, paths):
    """Takes models and sources out of properties files, and files away that have nothing else."""
    for path in (path for path in paths if not path.endswith(".sql")):
        file = pathlib.Path(project) / path
        root = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
        rest = {key: entries for key, entries in root.items() if key not in ("models", "sources", "anchors")}
        if rest.keys() <= {"version"}:
            file.unlink()
        else:
            file.write_text(yaml.safe_dump(rest, sort_keys=False), encoding="utf-8")
