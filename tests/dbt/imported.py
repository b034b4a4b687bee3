"""Properties files to contracts and back in the real dbt: imported.py DBT_CONTRACTS DBT [FOLDER]

For copies of contracts-example, and for projects whose properties files a person wrote, proves that
after `import` and `generate` dbt sees the same project: every test with its name, arguments and config,
every column, description and setting of models and sources, compared by the manifests of `dbt parse`.
The same holds where the manifest of the project is imported and no file, and the products that come of
it have the lineage of dbt. What differs all the same stands in `imported/losses.tsv` with the line in
which `import` lists it, or with why it means the same; nothing else may differ, and nothing else may be
listed.

With a folder of properties files each of them is completed to a project, and what differs is printed.
"""

import collections
import json
import pathlib
import shutil
import sys
import tempfile

import yaml

from completed import PROFILE, PROJECT, complete, reduce
from example import EXAMPLE
from harness import Suite, check_properties, run, write
from inventory import compare, differences, exact, inventory, lineage, parse

# The projects of `imported/`, whose files live in one project of dbt.
PROJECTS = pathlib.Path(__file__).parent / "imported"

PRODUCT = {"apiVersion": "v1.0.0", "kind": "DataProduct", "id": "shop", "name": "shop", "status": "active"}

# What a person has to decide where the files stay: versions and anchors are never edited, and what a table
# has of its source is said by neither alone.
CONFLICTS = [
    ("mapping/name-collision", "contracts/contracts/trains_v1.odcs.yaml"),
    ("mapping/name-collision", "contracts/contracts/trains_v2.odcs.yaml"),
    ("mapping/name-collision", "contracts/contracts/trains_v3.odcs.yaml"),
    ("merge/blocked", "models/farm/schema.yml"),
    ("merge/edited", "models/harbour/sources.yml"),
]

GENERATED = ("models/contracts", "macros/dbt_contracts", "tests/dbt_contracts")


def example(suite, tool, dbt, folder):
    """What we generated, imported and generated again."""
    project = folder / "example"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb", "dbt-contracts.lock"))
    for name in GENERATED:
        shutil.rmtree(project / name, ignore_errors=True)
    code, out = run([tool, "generate"], project)
    suite.check("generate", code == 0, out)
    parse(suite, "the example", dbt, project)
    before = exact(project)
    code, out = run([tool, "import", "models", "--output", "imported", "--strict"], project)
    suite.check("the example is imported without a loss", code == 0, out)
    shutil.rmtree(project / "contracts" / "contracts")
    (project / "imported").rename(project / "contracts" / "contracts")
    (project / "contracts" / "dbt-contracts.lock").unlink()
    for name in GENERATED:
        shutil.rmtree(project / name)
    code, out = run([tool, "generate"], project)
    suite.check("generate from imported contracts", code == 0, out)
    check_properties(suite, "the example again", dbt, project)
    parse(suite, "the example again", dbt, project)
    compare(suite, "the example", before, exact(project))


def product(project):
    """A product that outputs the contracts of models, where only files were imported."""
    ports = []
    for path in sorted((project / "contracts" / "contracts").glob("*.yaml")):
        contract = yaml.safe_load(path.read_text(encoding="utf-8"))
        if ".models." in contract["id"]:
            ports.append({"name": path.name, "version": contract["version"], "contractId": contract["id"]})
    if ports:
        write(project, {"contracts/products/shop.odps.yaml": json.dumps({**PRODUCT, "outputPorts": ports})})


class Trip:
    """A project that goes into contracts and back. In the mode `files`, `manifest` or `both` these are
    imported and taken out of the project before it is generated; `in_place` the files stay."""

    def __init__(self, tool, dbt, project, files):
        self.tool, self.dbt, self.project, self.files = tool, dbt, project, files
        complete(project, files)

    def start(self, suite):
        """What dbt knows before."""
        if not parse(suite, self.project.name, self.dbt, self.project):
            return False
        self.before = inventory(self.project)
        self.edges = lineage(self.project)
        shutil.copy(self.project / "target" / "manifest.json", self.project / "before.json")
        return True

    def take(self, suite, mode):
        """The fields that differ, by node, and the losses that are listed."""
        what, in_place = f"{self.project.name} ({mode})", mode == "in_place"
        for name in ("contracts", *GENERATED):
            shutil.rmtree(self.project / name, ignore_errors=True)
        write(self.project, self.files)
        by_manifest = ["--manifest", "before.json", "--products"] if mode in ("manifest", "both") else []
        source = [*by_manifest, *(["models"] if mode != "manifest" else [])]
        code, out = run([self.tool, "--format", "json", "import", *source], self.project)
        suite.check(f"{what} is imported", code == 0, out)
        losses = json.loads(out[out.index("{"):])["losses"] if code == 0 else []
        if not by_manifest:
            product(self.project)
        code, out = run([self.tool, "validate"], self.project)
        suite.check(f"the contracts of {what} are valid", code == 0, out)
        if not in_place:
            reduce(self.project, self.files)
        code, out = run([self.tool, "--format", "json", "generate"], self.project)
        suite.check(f"generate {what}", code == 0 or in_place and code == 1, out)
        findings = json.loads(out)["diagnostics"] if code in (0, 1) else []
        self.errors = sorted((finding["code"], finding["path"]) for finding in findings if finding["severity"] == "error")
        if not parse(suite, f"what came of {what}", self.dbt, self.project):
            return {}, losses
        after = inventory(self.project)
        found = {}
        for name in sorted({*self.before, *after}):
            for path, one, other in differences(self.before.get(name), after.get(name)):
                found[f"{name} {path}".rstrip()] = (one, other)
        return found, losses


def shown(loss):
    return f"{loss['path']}:{loss['line']}: {loss['what']}"


def expected(mode):
    """What may differ, and what is listed, in one mode: each loss with the fields that it explains. One in
    brackets is no loss."""
    fields, losses = set(), set()
    for line in (PROJECTS / "losses.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            modes, loss, *explained = line.split("\t")
            if mode in modes.split():
                fields.update(explained)
                losses.update([] if loss.startswith("(") else [loss])
    return fields, losses


def written(suite, tool, dbt, folder):
    """What a person wrote, imported from the files or from the manifest, and generated."""
    texts = {f"models/{path.relative_to(PROJECTS)}": path.read_text(encoding="utf-8") for path in sorted(PROJECTS.glob("*/*"))}
    suite.check("there are twelve projects", len({path.split("/")[1] for path in texts}) == 12)
    trip = Trip(tool, dbt, folder / "shop", texts)
    if not trip.start(suite):
        return
    for mode in ("in_place", "files", "both", "manifest"):
        found, losses = trip.take(suite, mode)
        fields, lines = expected(mode)
        for field, (one, other) in found.items():
            suite.check(f"{mode}: {field}", field in fields, f"{one} | {other}")
        for field in sorted(fields - {*found}):
            suite.check(f"{mode}: {field}", False, "is the same, and `losses.tsv` says that it differs")
        listed = collections.Counter(map(shown, losses))
        for line in sorted({*listed} | lines):
            suite.check(f"{mode}: lost {line}", listed[line] == 1 and line in lines)
        errors = CONFLICTS if mode == "in_place" else []
        suite.check(f"{mode}: what has to be decided", trip.errors == errors, trip.errors)
    anew(suite, trip)


def anew(suite, trip):
    """Models that are made of the contracts and products alone read what they read before."""
    for name in ("models", "tests"):
        shutil.rmtree(trip.project / name, ignore_errors=True)
    (trip.project / "contracts" / "dbt-contracts.lock").unlink()
    code, out = run([trip.tool, "generate"], trip.project)
    suite.check("generate anew", code == 0, out)
    parse(suite, "the models anew", trip.dbt, trip.project)
    found = lineage(trip.project)
    # A contract is not made of itself, and these two share one.
    before = {**trip.edges, "model.shop.bookings": []}
    suite.check("the lineage is the same", found == before, f"{before}\n{found}")


def foreign(suite, tool, dbt, folder, files, modes):
    """Files of others, each completed to a project: what differs is printed, and judged by a person."""
    for path in sorted(files.iterdir()):
        try:
            text = path.read_text(encoding="utf-8")
            root = yaml.safe_load(text)
        except (yaml.YAMLError, UnicodeDecodeError):
            continue
        if not isinstance(root, dict) or not (root.get("models") or root.get("sources")):
            continue
        kept = {key: value for key, value in root.items() if key in ("version", "models", "sources")}
        if kept != root:
            text = yaml.safe_dump(kept, sort_keys=False)
        trip = Trip(tool, dbt, folder / path.stem[:60], {"models/m/schema.yml": text})
        quiet = Suite()
        if not trip.start(quiet):
            print(f"-- {path.name}: dbt does not parse it", flush=True)
            continue
        for mode in modes:
            found, losses = trip.take(suite, mode)
            print(f"{'##' if found else '=='} {path.name} {mode}: {len(trip.before)} nodes, {len(found)} differences, {len(losses)} losses", flush=True)
            for field, (one, other) in list(found.items())[:40]:
                print(f"   {field}: {str(one)[:150]} | {str(other)[:150]}")
        shutil.rmtree(trip.project)


def main():
    tool, dbt = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    suite = Suite()
    folder = pathlib.Path(tempfile.mkdtemp())
    if len(sys.argv) > 3:
        foreign(suite, tool, dbt, folder, pathlib.Path(sys.argv[3]), sys.argv[4:] or ["files", "in_place", "manifest"])
    else:
        example(suite, tool, dbt, folder)
        written(suite, tool, dbt, folder)
    shutil.rmtree(folder)
    suite.done()


if __name__ == "__main__":
    main()
