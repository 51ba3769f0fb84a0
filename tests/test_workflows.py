"""Workflows can be read, test what the package promises, and hold no secrets."""

import re
import tomllib
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

ROOT = Path(__file__).parents[1]
if not (ROOT / ".github").is_dir():
    pytest.skip("a source distribution holds no workflows", allow_module_level=True)
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in (ROOT / ".github/workflows").glob("*.yml")
}


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_there_are_workflows_for_tests_documents_and_wheels():
    assert set(WORKFLOWS) == {"docs", "tests", "wheels"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_each_step_runs_a_command_or_an_action_of_a_version(name):
    for step in steps_of(WORKFLOWS[name]):
        assert "run" in step or re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+", step["uses"])


@pytest.mark.parametrize("name", WORKFLOWS)
def test_nobody_may_write_but_the_jobs_that_publish(name):
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] == {"contents": "read"}
    writers = {job for job, content in workflow["jobs"].items() if "permissions" in content}
    assert writers <= {"deploy", "publish"}
    assert "secrets." not in (ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")


def test_every_supported_python_is_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    supported = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert WORKFLOWS["tests"]["jobs"]["all"]["strategy"]["matrix"]["python"] == supported


def test_a_missing_browser_fails_the_tests():
    environments = [step.get("env", {}) for step in steps_of(WORKFLOWS["tests"])]
    assert {"NUMBERLINE_REQUIRE_BROWSER": "1"} in environments
    assert "NUMBERLINE_REQUIRE_BROWSER=1" in (ROOT / ".ci/run").read_text(encoding="utf-8")
