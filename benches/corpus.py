"""Makes a project with any number of contracts: corpus.py N DIR [--from CONTRACT]

N ODCS contracts of about 10 kB each under DIR/contracts/contracts, and a product for every five of
them: the first is its input, the others are its outputs. The same N gives the same bytes. With
--from, the contracts are copies of that file under new ids instead.
"""

import argparse
import pathlib
import re

DOCUMENT = """\
apiVersion: v3.1.0
kind: DataContract
id: {id}
name: {id}
version: 1.0.0
status: active
domain: domain_{domain}
description:
  purpose: Rows of {id}, made to measure with.
  limitations: None of them is real.
servers:
  - server: prod
    type: duckdb
    database: made.duckdb
    schema: raw
team:
  name: team_{domain}
schema:
"""

OBJECT = """\
  - name: {id}_{table}
    physicalName: tbl_{id}_{table}
    physicalType: table
    description: One row per event of {id}.
    properties:
      - name: event_id
        logicalType: integer
        primaryKey: true
        primaryKeyPosition: 1
        required: true
        description: Number of the event, given by the system that saw it first.
"""

PROPERTY = """\
      - name: value_{number}
        physicalName: val_{number}
        logicalType: {logical}
        required: {required}
        description: The value number {number} of the event, as it came from the source system.
        tags: [made, group_{number}]
        logicalTypeOptions: {options}
        quality:
          - metric: nullValues
            mustBeLessThan: 100
            severity: warning
"""

TYPES = [
    ("string", "{minLength: 1, maxLength: 40, pattern: '^[A-Z]+$'}"),
    ("integer", "{minimum: 0, maximum: 1000}"),
    ("date", "{minimum: '2020-01-01'}"),
]

PRODUCT = """\
apiVersion: v1.0.0
kind: DataProduct
id: product-{number}
name: product-{number}
version: 1.0.0
status: active
inputPorts:
  - name: raw
    version: 1.0.0
    contractId: {input}
outputPorts:
"""

OUTPUT = """\
  - name: {id}
    version: 1.0.0
    contractId: {id}
"""


def contract(identifier, number):
    text = DOCUMENT.format(id=identifier, domain=number % 10)
    for table in range(2):
        text += OBJECT.format(id=identifier, table=table)
        for index in range(10):
            logical, options = TYPES[index % len(TYPES)]
            required = "true" if index % 2 else "false"
            text += PROPERTY.format(number=index, logical=logical, options=options, required=required)
    return text


def make(count, folder, source=None):
    contracts = folder / "contracts" / "contracts"
    products = folder / "contracts" / "products"
    contracts.mkdir(parents=True, exist_ok=True)
    products.mkdir(parents=True, exist_ok=True)
    (folder / "contracts" / "config.yaml").write_text("dbt:\n  adapter: duckdb\n  server: prod\n")
    identifiers = [f"c{number:05}" for number in range(count)]
    for number, identifier in enumerate(identifiers):
        text = contract(identifier, number)
        if source:
            text = re.sub(r"(?m)^id: .*$", f"id: {identifier}", source)
        (contracts / f"{identifier}.odcs.yaml").write_text(text)
    for start in range(0, count, 5):
        first, *rest = identifiers[start : start + 5]
        text = PRODUCT.format(number=start // 5, input=first) + "".join(OUTPUT.format(id=item) for item in rest)
        (products / f"product-{start // 5:05}.odps.yaml").write_text(text if rest else text.replace("outputPorts:\n", ""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    arguments = parser.parse_args()
    make(arguments.count, arguments.folder, arguments.source and arguments.source.read_text())
