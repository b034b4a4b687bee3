"""What is written for old releases of dbt, in those releases: releases.py DBT_CONTRACTS VENVS DBT

Makes a venv for each release of RELEASES, two at a time, below the folder VENVS, once; DBT is the dbt of today. For a
copy of contracts-example with groups and two versions of a model, proves that
  * dbt compiles what is written for it without a warning or deprecation;
  * a second run writes nothing;
  * what is written today, versions and groups too, is valid under the JSON Schema that dbt ships;
  * another `dbt.version` is an update like any other, and the way back gives the same bytes.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv

from example import EXAMPLE, Suite, run, tree
from harness import check_properties

ADAPTER = ["dbt-duckdb==1.11.1", "duckdb==2.0.1"]

# A release of dbt, and the `dbt.version` that is written for it.
RELEASES = [("1.8.10", "1.8"), ("1.10.4", "1.10.4"), ("1.10.23", "1.10"), ("1.12.6", "1.12")]

# What is installed first where a release asks for a parser that no registry has, and runs without it.
BELOW = {"1.12.6": ["dbt-core==1.11.16", "metricflow==0.213.0", "python-dotenv==1.2.4"]}

# That dbt is no longer maintained says nothing of what is written.
MAINTENANCE = "no longer receives"

FURTHER = """\
apiVersion: v3.1.0
kind: DataContract
id: shop.regions
name: regions
version: {version}
status: active
servers: [{{server: warehouse, type: duckdb, database: shop.duckdb, schema: raw}}]
schema:
  - name: regions
    physicalType: table
    tags: [places]
    properties:
      - name: code
        logicalType: string
        primaryKey: true
        classification: public
        tags: [key]
        transformLogic: "'de'"
        logicalTypeOptions: {{minLength: 2}}
        quality:
          - {{metric: nullValues, mustBeLessThan: 3, description: "Almost {{{{ none }}}} are missing."}}
"""

PRODUCT = """\
apiVersion: v1.0.0
kind: DataProduct
id: shop.places
name: places
version: 1.0.0
status: active
description: {purpose: Where things are.}
team: {name: places, members: [{username: eva@shop.example, role: owner}]}
outputPorts:
  - {name: regions, version: 1.0.0, contractId: shop.regions}
  - {name: regions, version: 2.0.0, contractId: shop.regions}
"""


def installed(folder, release):
    """The dbt of a release, in a venv that is made where there is none."""
    place = folder / f"dbt-{release}"
    dbt = place / "bin" / "dbt"
    if not dbt.exists():
        venv.create(place, with_pip=True, clear=True)
        pip = [place / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
        below = BELOW.get(release)
        subprocess.run([*pip, *(below or [f"dbt-core=={release}"]), *ADAPTER], check=True)
        if below:
            subprocess.run([*pip, "--no-deps", f"dbt-core=={release}"], check=True)
    return dbt


def project(folder):
    """The example with more in it that releases differ about."""
    copy = folder / "shop"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb", "dbt-contracts.lock"))
    for generated in ("models/contracts", "macros/dbt_contracts", "tests/dbt_contracts"):
        shutil.rmtree(copy / generated, ignore_errors=True)
    contracts = copy / "contracts" / "contracts" / "places"
    contracts.mkdir()
    for version in ("1.0.0", "2.0.0"):
        (contracts / f"regions-{version}.odcs.yaml").write_text(FURTHER.format(version=version))
    (copy / "contracts" / "products" / "places.odps.yaml").write_text(PRODUCT)
    settings = copy / "dbt_project.yml"
    settings.write_text(re.sub("^require-dbt-version.*\n", "", settings.read_text(), flags=re.M))
    return copy


def configure(copy, version):
    """Says which release is written for."""
    (copy / "contracts" / "config.yaml").write_text(
        f'dbt: {{adapter: duckdb, version: "{version}"}}\naccess: product\nmodel_contracts: {{enforced: true}}\n'
    )


def warnings(out):
    """The lines of dbt's output that warn, or tell of an error."""
    lines = [line for line in out.splitlines() if MAINTENANCE not in line]
    return [line for line in lines if re.search(r"WARN|Deprecat|Error", line)]


def main():
    tool, venvs, today = (pathlib.Path(argument).absolute() for argument in sys.argv[1:4])
    suite = Suite()
    copy = project(pathlib.Path(tempfile.mkdtemp()))
    written = {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        dbts = list(pool.map(lambda release: installed(venvs, release[0]), RELEASES))
    for dbt, (release, version) in zip([*dbts, today], [*RELEASES, ("today", "1.11")]):
        configure(copy, version)
        code, out = run([tool, "generate", "--format", "json"], copy)
        states = {file["status"] for file in json.loads(out)["files"]}
        settled = states <= {"new", "modified", "unchanged"}
        suite.check(f"{version}: generate writes all that differs", code == 0 and settled, out)
        files = written[version] = tree(copy)
        code, out = run([tool, "generate"], copy)
        suite.check(f"{version}: a second run writes nothing", code == 0 and tree(copy) == files, out)
        shutil.rmtree(copy / "target", ignore_errors=True)
        place = ["--profiles-dir", copy, "--project-dir", copy]
        code, out = run([dbt, "--no-use-colors", "compile", "--no-partial-parse", *place], copy)
        suite.check(f"dbt {release} compiles {version} without a warning", code == 0 and not warnings(out), out)
    check_properties(suite, "1.11", today, copy)
    suite.check("a release has a shape of its own", written["1.8"] != written["1.11"])
    configure(copy, "1.8")
    code, out = run([tool, "sync"], copy)
    suite.check("the way back gives the same bytes", code == 0 and tree(copy) == written["1.8"], out)
    shutil.rmtree(copy.parent)
    suite.done()


if __name__ == "__main__":
    os.environ["DBT_SEND_ANONYMOUS_USAGE_STATS"] = "false"
    main()
