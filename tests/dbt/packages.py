"""The cases of rows/ with the tests of packages in place of ours: packages.py DBT_CONTRACTS DBT FOLDER [CASE…]

FOLDER holds the packages dbt_utils, dbt_expectations and dbt_date, each in the folder of its name, as
`dbt deps` installs them. The same tests must fail with as many rows as where they are our own.
"""

import pathlib
import shutil
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "rows"))

import run as rows
import warehouses
from harness import Suite, write


class Packages:
    """Packages in a folder."""

    # The tests of packages that are taken, with those of ours that say the same.
    stand_for = {
        "dbt_expectations.expect_column_value_lengths_to_be_between": "contract_length",
        "dbt_expectations.expect_column_values_to_be_between": "contract_between",
        "dbt_expectations.expect_column_values_to_match_regex": "contract_pattern",
        "dbt_utils.unique_combination_of_columns": "contract_unique_combination",
    }

    # Where the table has numbers and the contract says text, only our tests make text of them.
    left_out = {"text_length_of_number", "text_pattern_on_number"}

    def __init__(self, folder):
        self.folder = folder

    def install(self, project):
        """Lists the packages in a project, and asks for their tests."""
        entries = "".join(f"  - local: {self.folder / name}\n" for name in ("dbt_date", "dbt_utils", "dbt_expectations"))
        settings, config = (project / name for name in ("dbt_project.yml", "contracts/config.yaml"))
        write(project, {
            "packages.yml": f"packages:\n{entries}",
            settings: settings.read_text() + 'vars: {"dbt_date:time_zone": UTC}\n',
            config: config.read_text() + "tests: {mode: packages}\n",
        })

    def as_ours(self, expected, found):
        """What came of tests. Two of a package may say what one of ours does, and then both count a row."""
        same = lambda name: isinstance(found[name], list) and any(found[name]) == bool(expected.get(name))
        split = lambda name: same(name) and not isinstance(expected[name], list)
        return {name: expected[name] if split(name) else found[name] for name in found}


def main():
    tool, executable, folder = (pathlib.Path(argument).absolute() for argument in sys.argv[1:4])
    suite = Suite()
    projects = pathlib.Path(tempfile.mkdtemp())
    for kind in warehouses.available():
        rows.prove(suite, tool, executable, kind, projects, sys.argv[4:], Packages(folder))
    shutil.rmtree(projects)
    suite.done()


if __name__ == "__main__":
    main()
