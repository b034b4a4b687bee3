"""Properties files to contracts and back in the real dbt: imported.py DBT_CONTRACTS DBT

For copies of contracts-example, and for projects whose properties files a person wrote, proves that
after `import` and `generate` dbt sees the same project: every test with its name, arguments and config,
every column, description and setting of models and sources, compared by the manifests of `dbt parse`.
The same holds where the manifest of the project is imported and no file, and the products that come of
it have the lineage of dbt.
"""

import pathlib
import shutil
import sys
import tempfile

from example import EXAMPLE
from harness import Suite, artifact, check_properties, run

# What changes with every run of dbt, or only says where something stands.
VOLATILE = {"created_at", "original_file_path", "patch_path", "path", "raw_code", "checksum", "build_path"}

PROJECT = """\
name: shop
version: '1.0.0'
profile: shop
"""

PROFILE = """\
shop:
  target: dev
  outputs:
    dev: {type: duckdb, path: shop.duckdb}
"""

PROPERTIES = """\
version: 2

sources:
  - name: erp
    description: What the shop sends.
    schema: raw
    config:
      meta: {owner: platform, tier: gold}
      tags: [raw]
    tables:
      - name: Orders
        identifier: ORDERS_V1
        config:
          loaded_at_field: loaded_at
          freshness: {warn_after: {count: 6, period: hour}, error_after: {count: 2, period: day}}
        data_tests:
          - contract_metric: {name: row_count_erp_orders, arguments: {metric: row_count, operator: must_be_greater_than, threshold: 0}}
        columns:
          - name: id
            data_type: integer
            data_tests: [not_null, unique]
          - name: loaded_at
            data_type: timestamp
          - name: parent
            data_tests:
              - relationships: {arguments: {to: "source('erp', 'Orders')", field: id}, config: {severity: warn}}

models:
  - name: stg_orders
    description: |-
      Orders,
      one row each.
    config:
      materialized: table
      contract: {enforced: true}
      tags: [daily]
      meta: {owner: sales, classification: internal}
    columns:
      - name: id
        description: Number.
        data_type: integer
        constraints: [{type: not_null}, {type: primary_key}]
        data_tests: [not_null, unique]
      - name: status
        data_type: varchar
        config: {meta: {classification: public}, tags: [x]}
        data_tests:
          - accepted_values:
              arguments: {values: [placed, "it''s"]}
              config: {severity: warn}
          - not_null: {config: {where: "id > 5"}}
      - name: amount
        data_type: decimal(12,2)
        constraints: [{type: check, expression: amount >= 0 and amount < 100}]
        data_tests:
          - contract_between: {arguments: {min_value: 0, exclusive_max: 100}}
          - not_null: {config: {error_if: '> 3', warn_if: '> 3'}}
  - name: stg_lines
    config: {materialized: view}
    data_tests:
      - contract_unique_combination: {arguments: {combination_of_columns: [order_id, line]}}
    columns:
      - name: order_id
        data_type: integer
        data_tests:
          - not_null
          - relationships: {arguments: {to: ref('stg_orders'), field: id}}
      - name: line
        data_type: integer
        data_tests: [not_null]
"""

PRODUCT = """\
apiVersion: v1.0.0
kind: DataProduct
id: shop
name: shop
status: active
outputPorts:
  - {name: orders, version: 1.0.0, contractId: shop.models.staging}
"""


MINUTES = {"minute": 1, "hour": 60, "day": 24 * 60}


def without(value, keys):
    """A value without some keys at any depth. Two days are as long as 48 hours."""
    if isinstance(value, dict):
        if value.keys() == {"count", "period"} and value["period"] in MINUTES:
            return value["count"] * MINUTES[value["period"]]
        return {key: without(inner, keys) for key, inner in value.items() if key not in keys}
    if isinstance(value, list):
        return [without(item, keys) for item in value]
    return value


def manifest(suite, what, dbt, project, ignored):
    """What dbt knows of the project's models, sources and tests."""
    strict = ["--profiles-dir", project, "--project-dir", project]
    code, out = run([dbt, "parse", "--no-partial-parse", *strict], project)
    suite.check(f"dbt parses {what}", code == 0, out)
    done = artifact(project, "manifest.json")
    nodes = {**done["nodes"], **done["sources"]}
    kinds = {"model", "source", "test"}
    nodes = {name: without(node, VOLATILE | ignored) for name, node in nodes.items() if node["resource_type"] in kinds}
    for node in nodes.values():
        # dbt takes the word in any case.
        if "severity" in node["config"]:
            node["config"]["severity"] = node["config"]["severity"].lower()
    return nodes


def compare(suite, what, before, after):
    suite.check(f"{what} has resources", len(before) > 5)
    for name in sorted({*before, *after}):
        one, other = before.get(name), after.get(name)
        detail = [f"{key}: {(one or {}).get(key)} | {(other or {}).get(key)}" for key in sorted({*(one or {}), *(other or {})})
                  if (one or {}).get(key) != (other or {}).get(key)]
        suite.check(f"{what}: {name}", one == other, "\n".join(detail))


def example(suite, tool, dbt, folder):
    """What we generated, imported and generated again."""
    project = folder / "example"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb", "dbt-contracts.lock"))
    for name in ("models/contracts", "macros/dbt_contracts", "tests/dbt_contracts"):
        shutil.rmtree(project / name, ignore_errors=True)
    code, out = run([tool, "generate"], project)
    suite.check("generate", code == 0, out)
    before = manifest(suite, "the example", dbt, project, set())
    code, out = run([tool, "import", "models", "--output", "imported", "--strict"], project)
    suite.check("the example is imported without a loss", code == 0, out)
    shutil.rmtree(project / "contracts" / "contracts")
    (project / "imported").rename(project / "contracts" / "contracts")
    (project / "contracts" / "dbt-contracts.lock").unlink()
    for name in ("models/contracts", "macros/dbt_contracts", "tests/dbt_contracts"):
        shutil.rmtree(project / name)
    code, out = run([tool, "generate"], project)
    suite.check("generate from imported contracts", code == 0, out)
    check_properties(suite, "the example again", dbt, project)
    compare(suite, "the example", before, manifest(suite, "the example again", dbt, project, set()))


def lineage(manifest):
    """Which models read which sources and models."""
    nodes = manifest["nodes"].items()
    return {name: sorted(node["depends_on"]["nodes"]) for name, node in nodes if node["resource_type"] == "model"}


def written(suite, tool, dbt, folder, by_manifest):
    """What a person wrote, imported from the files or from the manifest, and generated."""
    what = "what dbt knows" if by_manifest else "what a person wrote"
    project = folder / what.replace(" ", "_")
    (project / "models" / "staging").mkdir(parents=True)
    (project / "contracts" / "products").mkdir(parents=True)
    (project / "dbt_project.yml").write_text(PROJECT)
    (project / "profiles.yml").write_text(PROFILE)
    (project / "models" / "staging" / "stg_orders.sql").write_text("select id, 'a' as status, 2.0 as amount from {{ source('erp', 'Orders') }}\n")
    (project / "models" / "staging" / "stg_lines.sql").write_text("select id as order_id, 1 as line from {{ source('erp', 'Orders') }}\n")
    properties = project / "models" / "staging" / "properties.yml"
    properties.write_text(PROPERTIES)
    shutil.copytree(EXAMPLE.parent / "templates" / "tests", project / "macros")
    # Which contract something comes from is new, and so is the folder.
    ignored = {"data_contract", "fqn", "unrendered_config"}
    before = manifest(suite, what, dbt, project, ignored)
    edges = lineage(artifact(project, "manifest.json"))
    source = ["--manifest", "target/manifest.json", "--products"] if by_manifest else ["models"]
    code, out = run([tool, "import", *source, "--strict"], project)
    suite.check(f"{what} is imported without a loss", code == 0, out)
    properties.unlink()
    shutil.rmtree(project / "macros")
    if not by_manifest:
        (project / "contracts" / "products" / "shop.odps.yaml").write_text(PRODUCT)
    code, out = run([tool, "generate"], project)
    suite.check(f"generate {what}", code == 0, out)
    check_properties(suite, what, dbt, project)
    compare(suite, what, before, manifest(suite, f"what came of {what}", dbt, project, ignored))
    if by_manifest:
        anew(suite, tool, dbt, project, edges)


def anew(suite, tool, dbt, project, edges):
    """Models that are made of the contracts and products alone read what they read before."""
    shutil.rmtree(project / "models")
    (project / "contracts" / "dbt-contracts.lock").unlink()
    code, out = run([tool, "generate"], project)
    suite.check("generate anew", code == 0, out)
    check_properties(suite, "the models anew", dbt, project)
    manifest(suite, "the models anew", dbt, project, set())
    found = lineage(artifact(project, "manifest.json"))
    suite.check("the lineage is the same", found == edges, f"{edges}\n{found}")


def main():
    tool, dbt = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    suite = Suite()
    folder = pathlib.Path(tempfile.mkdtemp())
    example(suite, tool, dbt, folder)
    written(suite, tool, dbt, folder, by_manifest=False)
    written(suite, tool, dbt, folder, by_manifest=True)
    shutil.rmtree(folder)
    suite.done()


if __name__ == "__main__":
    main()
