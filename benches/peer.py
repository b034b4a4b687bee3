"""How fast `validate` is beside another linter of the same contracts: peer.py ODCSLINT [DBT_CONTRACTS] [--count N …]

Both check the same made contracts, in turn, five times each (odcslint 0.3.0 from PyPI is what the
figures in the repository's history are about). Prints the least CPU seconds of each and their ratio;
odcslint checks schemas and a few rules, this program all of its three passes.
"""

import argparse
import pathlib
import tempfile

import corpus
from run import REPOSITORY, measure

TIMES = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", type=pathlib.Path)
    parser.add_argument("tool", type=pathlib.Path, nargs="?", default=REPOSITORY / "target/release/dbt-contracts")
    parser.add_argument("--from", dest="source", type=pathlib.Path, help="a contract to copy under new ids")
    parser.add_argument("--count", type=int, nargs="+", default=[1000, 10000])
    arguments = parser.parse_args()
    source = arguments.source and arguments.source.read_text()
    commands = {"dbt-contracts": [arguments.tool.absolute(), "validate"], "peer": [arguments.peer.absolute(), "check", "."]}
    for count in arguments.count:
        with tempfile.TemporaryDirectory() as folder:
            corpus.make(count, pathlib.Path(folder), source)
            seconds = {name: [] for name in commands}
            memory = {name: [] for name in commands}
            for _ in range(TIMES):
                for name, command in commands.items():
                    _, cpu, peak = measure(command, folder)
                    seconds[name].append(cpu)
                    memory[name].append(peak)
        ours, theirs = min(seconds["dbt-contracts"]), min(seconds["peer"])
        print(
            f"{count:6} contracts: {ours * 1000:8.1f} ms CPU, {max(memory['dbt-contracts']):6.1f} MB"
            f"   peer {theirs * 1000:8.1f} ms CPU, {max(memory['peer']):6.1f} MB   ratio {ours / theirs:.2f}"
        )


if __name__ == "__main__":
    main()
