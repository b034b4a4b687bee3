"""How fast the program is: run.py [DBT_CONTRACTS] [--from CONTRACT] [--count N]

Measures whole processes of a release build, five times each, and prints the least of each figure:

  * `generate` on a copy of contracts-example, everything new, and again with nothing to do;
  * `validate` on N contracts (default 1,000) of about 10 kB: CPU seconds, peak memory, and the
    ratio to what PyYAML's C parser needs for reading the same files, measured in the same run;
  * `diff` on the N contracts, all generated and unchanged, and `import` of what was generated, beside
    `validate`;
  * all of them on four times as many: the ratios that say whether work grows linearly.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import corpus

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
READ = "import sys, pathlib, yaml\nfor file in pathlib.Path(sys.argv[1]).rglob('*.yaml'): yaml.load(file.read_text(), yaml.CSafeLoader)"


def measure(command, cwd):
    """Wall seconds, CPU seconds and peak memory in MB of one process."""
    before = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def least(command, cwd, prepare=lambda: None, times=5):
    runs = []
    for _ in range(times):
        prepare()
        runs.append(measure(command, cwd))
    return tuple(min(figures) for figures in zip(*runs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path, nargs="?", default=REPOSITORY / "target/release/dbt-contracts")
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    arguments = parser.parse_args()
    tool = arguments.tool.absolute()
    source = arguments.source and arguments.source.read_text()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        example = folder / "example"

        def fresh():
            shutil.rmtree(example, ignore_errors=True)
            shutil.copytree(REPOSITORY / "contracts-example", example)

        wall, cpu, memory = least([tool, "--project-dir", example, "generate"], folder, fresh)
        print(f"generate, contracts-example, all new:    {wall * 1000:7.1f} ms wall {cpu * 1000:7.1f} ms CPU {memory:6.1f} MB")
        wall, cpu, memory = least([tool, "--project-dir", example, "generate"], folder)
        print(f"generate, contracts-example, unchanged:  {wall * 1000:7.1f} ms wall {cpu * 1000:7.1f} ms CPU {memory:6.1f} MB")
        figures = {"validate": [], "diff": [], "import": []}
        for count in (arguments.count, arguments.count * 4):
            project = folder / str(count)
            corpus.make(count, project, source)
            wall, cpu, memory = least([tool, "--project-dir", project, "validate"], folder)
            _, baseline, _ = least([sys.executable, "-c", READ, project], folder, times=1)
            figures["validate"].append(cpu)
            print(
                f"validate, {count:6} contracts:             {wall * 1000:7.1f} ms wall {cpu * 1000:7.1f} ms CPU {memory:6.1f} MB"
                f"   {cpu / baseline:.2f} x PyYAML's C reader alone"
            )
            subprocess.run([tool, "--project-dir", project, "generate"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for name, command in (("diff", ["diff"]), ("import", ["import", "models", "--dry-run"])):
                wall, own, memory = least([tool, "--project-dir", project, *command], project)
                figures[name].append(own)
                print(
                    f"{name + ',':9} {count:6} contracts, unchanged:  {wall * 1000:7.1f} ms wall {own * 1000:7.1f} ms CPU {memory:6.1f} MB"
                    f"   {own / cpu:.2f} x validate"
                )
        for name, (few, many) in figures.items():
            print(f"{name}, four times the contracts: {many / few:.2f} times the CPU")


if __name__ == "__main__":
    main()
