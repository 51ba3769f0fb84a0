"""The whole reproduction on the chat of the demo shop: stopped, resumed, reported."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import numberline as nl
from numberline.errors import ConfigError, CorpusError, OutputError, StoreError
from numberline.evaluation import Evaluation, Spread, Table, no_progress
from numberline.evaluation.similarity import SIMILARITY_SETS
from numberline_paper import reproduce
from numberline_paper import texts as texts_module
from numberline_paper.report.html import to_html
from numberline_paper.report.markdown import to_markdown
from numberline_paper.report.parts import Picture, Report, Section, ShownCell, ShownTable
from numberline_paper.settings import ReproductionSettings
from numberline_paper.texts import is_held_out, split_text
from numberline_shop import write_corpus
from tests.running_commands import assert_refused, run

pytest.importorskip("scipy")

SMALL = {"dim": 6, "threads": 1, "budget": 20_000}
ENCODERS = ["token", "fixed", "default"]
PAIRS = {
    "WordSim-353": "size,xl,9\nsize,xs,8\nxl,xs,1\nxl,cm,3\n",
    "MEN": "size xl 50\nsize xs 40\nxl kg 10\n",
    "SimLex-999": "size\txl\tN\t9\nsize\txs\tN\t8\ncm\tkg\tN\t3\n",
    "Rare Words": "0,size,xl,3\n1,cm,kg,4\n2,size,kg,1\n",
    "MTurk-771": "size,xl,4\ncm,kg,3\nsize,cm,2\n",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "chat.txt"
    write_corpus(path, 3000)
    return path


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    for name, text in PAIRS.items():
        path = folder / "word-similarity" / SIMILARITY_SETS[name].file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (folder / "analogy").mkdir()
    (folder / "analogy/questions-words.txt").write_text(": x\nsize xl cm kg\n")
    return folder


@pytest.fixture(scope="module")
def done(corpus, sets, tmp_path_factory):
    """Return the folder of a complete run; tests must not change it."""
    folder = tmp_path_factory.mktemp("done")
    reproduce(corpus, sets, folder, encoders=ENCODERS, tasks=["similarity"], **SMALL)
    return folder


@pytest.fixture
def copied(done, tmp_path):
    return Path(shutil.copytree(done, tmp_path / "copy"))


class StoppedError(Exception):
    """The work was stopped."""


class Watch:
    """A progress that records what is done, and raises an error at one step."""

    def __init__(self, stop_at=None):
        self.seen = []
        self.stop_at = stop_at

    def __call__(self, what, fraction):
        assert 0 <= fraction <= 1
        self.seen.append(what)
        if what == self.stop_at:
            raise StoppedError(what)


def run_small(corpus, sets, folder, progress=None, **settings):
    keywords = {"encoders": ENCODERS, "tasks": ["similarity"], **SMALL, **settings}
    return reproduce(corpus, sets, folder, progress=progress, **keywords)


def times_of(folder):
    kept = [*folder.glob("models/*/*"), *folder.glob("evaluations/*/*"), *folder.glob("texts/*/*")]
    return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in kept}


@pytest.mark.parametrize(
    "stop_at",
    [
        "reading",
        "fixed-dim6-20k: training",
        "fixed-dim6-20k: similarity",
        "token-dim6-20k: analogies",
    ],
)
def test_a_run_that_was_stopped_is_continued(corpus, sets, done, tmp_path, stop_at):
    with pytest.raises(StoppedError):
        run_small(corpus, sets, tmp_path, Watch(stop_at))
    before = times_of(tmp_path)
    run_small(corpus, sets, tmp_path, watch := Watch())
    after = times_of(tmp_path)
    assert before.items() <= after.items()  # nothing was made again
    assert not any(f"models/{name}/numberline.json" in before for name in trained(watch))
    assert set(after) == set(times_of(done))
    assert figures_of(tmp_path) == figures_of(done)


def test_an_interrupted_training_leaves_a_checkpoint(corpus, sets, done, tmp_path):
    def interrupt(what, fraction):
        if what == "fixed-dim6-20k: training":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_small(corpus, sets, tmp_path, interrupt)
    assert (tmp_path / "models/fixed-dim6-20k.checkpoint").is_dir()
    run_small(corpus, sets, tmp_path)
    assert set(times_of(tmp_path)) == set(times_of(done))


def trained(watch):
    return {what.removesuffix(": training") for what in watch.seen if what.endswith("training")}


def figures_of(folder):
    """Return all tables of the paper in the report."""
    text = (folder / "report.md").read_text()
    return text[text.index("## The paper's tables") :]


def test_what_is_done_is_not_done_again(corpus, sets, copied):
    before = times_of(copied)
    run_small(corpus, sets, copied, watch := Watch())
    assert watch.seen == []
    assert times_of(copied) == before


def test_another_setting_is_another_model(corpus, sets, copied):
    before = times_of(copied)
    run_small(corpus, sets, copied, watch := Watch(), encoders=["token"], dim=7)
    assert trained(watch) == {"token-dim7-20k"}
    assert before.items() <= times_of(copied).items()


def test_a_model_that_was_trained_again_is_evaluated_again(corpus, sets, copied):
    shutil.rmtree(copied / "models/token-dim6-20k")
    run_small(corpus, sets, copied, watch := Watch())
    assert trained(watch) == {"token-dim6-20k"}
    assert "token-dim6-20k: similarity" in watch.seen


def test_an_evaluation_with_other_settings_is_done_again(corpus, sets, copied):
    path = copied / "evaluations/token-dim6-20k/similarity.json"
    before = Evaluation.load(path)
    replace(before, settings={**before.settings, "seed": 8}).save(path)
    run_small(corpus, sets, copied, watch := Watch())
    assert set(watch.seen) == {"token-dim6-20k: similarity", "token-dim6-20k: analogies"}


def test_a_damaged_evaluation_is_not_reported(corpus, sets, copied):
    path = copied / "evaluations/token-dim6-20k/similarity.json"
    path.write_bytes(path.read_bytes().replace(b"7", b"8"))
    with pytest.raises(StoreError, match=r"similarity\.json cannot be read: it is damaged"):
        run_small(corpus, sets, copied)


def test_another_corpus_is_refused(sets, copied, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("5 cats\n" * 100)
    with pytest.raises(OutputError, match="choose another folder"):
        run_small(other, sets, copied)


def test_the_report_holds_our_figures_the_published_ones_and_footnotes(done):
    text = (done / "report.md").read_text()
    evaluation = Evaluation.load(done / "evaluations/token-dim6-20k/similarity.json")
    spearman = {row["set"]: row["Spearman"] for row in evaluation.tables["similarity"][0].rows}
    ours = [f"{spearman[name]:.2f}" for name in ("WordSim-353", "MEN", "SimLex-999")]
    expected = f"| token (NumAsTok) | {ours[0]} (65.30) | {ours[1]} (71.83) | {ours[2]} (35.85) |"
    assert expected in text
    assert "| GloVe, Wikipedia, 6 B | (52.20) | (73.70) | (37.10) |" in text
    assert "| lstm (D-LSTM) | (357.45¹) |" in text
    assert "¹ These are the figures of a GMM with 500 components" in text
    assert "| default, epochs: 5 |" in text
    assert "| token-dim6-20k |" in text
    assert "## All figures of this run" in text
    assert "Rare Words" in text


def test_the_page_is_well_formed_and_refers_to_no_other_file(done):
    text = (done / "report.html").read_text()
    page = ElementTree.fromstring(text)
    cells = ["".join(cell.itertext()) for cell in page.iter("td")]
    assert "(357.451)" in cells
    evaluation = Evaluation.load(done / "evaluations/fixed-dim6-20k/similarity.json")
    assert f"{evaluation.tables['similarity'][0].rows[0]['Spearman']:.2f}(64.35)" in cells
    links = [node.get(name) for node in page.iter() for name in ("href", "src")]
    assert all(link.startswith(("#", "data:")) for link in links if link)
    assert not re.search(r"https?:|url\(|@import|<script|<link", text)
    targets = {node.get("id") for node in page.iter()}
    assert {link[1:] for link in links if link and link[0] == "#"} <= targets


def test_characters_with_a_meaning_in_html_and_markdown_are_escaped(tmp_path):
    picture = tmp_path / "a.png"
    picture.write_bytes(b"PNG")
    odd = 'a < b & c > "d" | e'
    table = ShownTable(
        odd, ["", odd], [[ShownCell(odd), ShownCell("1", odd, (1,))]], (odd,), (odd,)
    )
    report = Report(odd, (Section(odd, (odd,), (table,), (Picture(picture, odd),)),))
    page = ElementTree.fromstring(to_html(report))
    assert page.find(".//figure/img").get("alt") == odd
    assert ["".join(cell.itertext()) for cell in page.iter("td")] == [odd, f"1({odd}1)"]
    rows = [line for line in to_markdown(report, tmp_path).splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows)
    assert "](a.png)" in to_markdown(report, tmp_path)


def test_held_out_lines_are_never_trained_on(corpus, done, tmp_path):
    lines = corpus.read_text().splitlines()
    held_out = (done / "texts/wikipedia-20k/held-out.txt").read_text().splitlines()
    key = (1).to_bytes(8, "little")
    assert held_out
    assert [line for line in lines if is_held_out(line, key)][: len(held_out)] == held_out
    encoded = split_text(corpus, tmp_path / "all", ReproductionSettings(threads=1), no_progress)
    kept = [line for line in lines if not is_held_out(line, key)]
    assert len(encoded) == len(nl.encode(kept))
    assert len(encoded.vocabulary.words) > 100
    assert 0.01 < 1 - len(kept) / len(lines) < 0.03


def test_enough_lines_are_held_out_for_any_budget(tmp_path, monkeypatch):
    lines = [f"line {number}" for number in range(20_000)]

    def held_out_lines(least):
        monkeypatch.setattr(texts_module, "LEAST_HELD_OUT_LINES", least)
        settings = ReproductionSettings(threads=1, budget=100)
        encoded = split_text(lines, tmp_path / str(least), settings, no_progress)
        assert len(encoded) == 50
        return len((tmp_path / str(least) / "held-out.txt").read_text().splitlines())

    assert held_out_lines(0) < 10
    assert held_out_lines(100) == 100


def test_another_seed_holds_out_other_lines():
    lines = [f"line {number}" for number in range(20_000)]
    chosen = [{x for x in lines if is_held_out(x, n.to_bytes(8, "little"))} for n in (1, 2)]
    assert all(320 < len(some) < 480 for some in chosen)
    assert len(chosen[0] & chosen[1]) < 30


def test_missing_sets_are_named(corpus, tmp_path):
    settings = {"encoders": ["token"], "tasks": ["similarity", "magnitude-class", "tagging"]}
    settings |= {"tagging_sets": "restaurants-8k"}
    run_small(corpus, tmp_path / "nowhere", tmp_path / "out", **settings)
    text = (tmp_path / "out/report.md").read_text()
    assert "similarity of token-dim6-20k: " in text
    assert "wordsim-353.csv is missing" in text
    assert re.search(r"headlines-token-dim6: .*headlines", text)
    assert re.search(r"tagging of token: \S*train.jsonl is missing", text)


def test_a_row_with_too_many_prototypes_is_left_out_by_name(corpus, sets, tmp_path):
    run_small(corpus, sets, tmp_path, encoders=["som"], budget=300)
    assert (
        "som-200-dim6-300: prototypes=200 but the corpus holds"
        in (tmp_path / "report.md").read_text()
    )


def test_figures_of_a_planted_task_are_shown_beside_the_published_ones(
    corpus, sets, tmp_path, monkeypatch
):
    """Plant headlines, and a task whose table has a published title."""
    lines = ["5 cats see 7 dogs", "9 dogs see 1 cat"] * 9
    monkeypatch.setitem(texts_module.LINES, "headlines", lambda data: lines)

    def planted(model, settings, progress):
        assert "cats" in model
        flat = {"context": "flat", "score": "S_A", "AVGR": Spread(2.5, 0.25)}
        rows = [flat, {"context": "flat", "score": "S_B", "macro-F1": 31.0}]
        return [Table("Classes of magnitude", rows, ("Of ours.",))]

    monkeypatch.setattr("numberline_paper.headlines.task.evaluate", planted)
    for _ in range(2):  # made, then read
        run_small(corpus, sets, tmp_path, encoders=["token"], tasks=["magnitude-class"])
        text = (tmp_path / "report.md").read_text()
        assert "| token (NumAsTok) | 2.50 ± 0.25 (4.21) | (9.74) | (5.47) |" in text
        assert "31.00 (4.88) |" in text
        assert "Of ours." in text
    assert (tmp_path / "models/headlines-token-dim6").is_dir()


def test_unknown_encoders_tasks_and_impossible_settings_are_refused(corpus, sets, tmp_path):
    with pytest.raises(ConfigError, match="encoders='sum'"):
        run_small(corpus, sets, tmp_path, encoders=["sum"])
    with pytest.raises(ConfigError, match="tasks='similarty'"):
        run_small(corpus, sets, tmp_path, tasks=["similarty"])
    with pytest.raises(ConfigError, match="budget=0"):
        run_small(corpus, sets, tmp_path, budget=0)
    with pytest.raises(CorpusError):
        run_small(tmp_path / "nothing.txt", sets, tmp_path)


def test_the_command_writes_the_report(corpus, sets, copied):
    flags = ["--corpus", corpus, "--eval", sets, "--output", copied, "--encoders", "token,fixed"]
    result = run("reproduce", *flags, "--tasks", "similarity", "--dim", 6, "--budget", 20_000)
    assert result.returncode == 0, result.stderr
    assert f"written to {copied / 'report.html'}" in result.stdout.decode()
    assert_refused(run("reproduce", *flags, "--dim", 0), "--dim 0,")


def test_taggers_learn_from_their_own_sets(corpus, sets, tmp_path):
    pytest.importorskip("torch")
    quick = {"tagging_sets": "shop", "tagging_seeds": 1, "tagger_epochs": 1, "tasks": ["tagging"]}
    run_small(corpus, sets, tmp_path, encoders=["token"], **quick)
    path = tmp_path / "evaluations/tagging-shop/token.json"
    (table,) = json.loads(path.read_text())["tables"]["tagging"]
    assert {(row["train %"], row["test"]) for row in table["rows"]} == {
        (portion, test) for portion in (100, 30, 10) for test in ("original", "augmented", "hard")
    }
    text = (tmp_path / "report.md").read_text()
    accuracy = table["rows"][0]["accuracy"][0]
    assert f"| token (NumAsTok) | {accuracy:.2f} ± 0.00 (96.88±.07) |" in text
    before = path.stat().st_mtime_ns
    run_small(corpus, sets, tmp_path, encoders=["token"], **quick)
    assert path.stat().st_mtime_ns == before
    with pytest.raises(ConfigError, match="tagging_sets='restaurants'"):
        run_small(corpus, sets, tmp_path, tasks=["tagging"], tagging_sets="restaurants")
