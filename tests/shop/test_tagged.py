"""The tagged sets have the sizes of the paper, share no sentence, and mean what they say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from numberline_shop.cues import CUES, is_hard
from numberline_shop.shop import write_tagged

from numberline.reading.scanner import parse_numeral
from numberline.tagging.sentences import stretches
from numberline_shop.message import LABELS, Message, Span
from numberline_shop.tagged import tag

Sentence = list[tuple[str, str]]
COUNTS = {"train": 1389, "dev": 793, "test": 1802}
NAMES = (*COUNTS, "test-augmented", "test-hard")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tagged") / "new" / "folder"
    counts = write_tagged(folder, seed=1)
    assert counts == {name: len(read(folder, name)) for name in NAMES}
    return folder


@pytest.fixture(scope="module")
def sets(folder: Path) -> dict[str, list[Sentence]]:
    return {name: read(folder, name) for name in NAMES}


def stretched(sentence: Sentence) -> list[tuple[str, int, int]]:
    return [*stretches(label for _, label in sentence)]


def read(folder: Path, name: str) -> list[Sentence]:
    text = (folder / f"{name}.tsv").read_text(encoding="utf-8")
    assert text.endswith("\n\n")
    sentences = text[:-2].split("\n\n")
    return [[pair(line) for line in sentence.split("\n")] for sentence in sentences]


def pair(line: str) -> tuple[str, str]:
    token, label = line.split("\t")
    return token, label


def words(sentence: Sentence) -> tuple[str, ...]:
    return tuple(token for token, _ in sentence)


def test_counts_are_those_of_the_paper(sets: dict[str, list[Sentence]]) -> None:
    assert {name: len(sets[name]) for name in COUNTS} == COUNTS
    assert 6500 < len(sets["test-augmented"]) < 9010
    assert 600 < len(sets["test-hard"]) < 950


def test_a_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for number, seed in enumerate((1, 2)):
        write_tagged(tmp_path / str(number), seed=seed)
    for name in NAMES:
        bytes_before = (folder / f"{name}.tsv").read_bytes()
        assert (tmp_path / "0" / f"{name}.tsv").read_bytes() == bytes_before
        assert (tmp_path / "1" / f"{name}.tsv").read_bytes() != bytes_before


def test_no_sentence_is_in_two_sets_or_twice_in_one(sets: dict[str, list[Sentence]]) -> None:
    seen = Counter(
        words(sentence)
        for name in ("train", "dev", "test", "test-augmented")
        for sentence in sets[name]
    )
    in_two = [sentence for sentence, count in seen.items() if count > 1]
    assert not in_two


@pytest.mark.parametrize("name", ["train", "dev", "test"])
def test_every_label_occurs(name: str, sets: dict[str, list[Sentence]]) -> None:
    found = {label for sentence in sets[name] for label, _, _ in stretched(sentence)}
    assert found == set(LABELS)


def test_sentences_resemble_customer_service_chat(sets: dict[str, list[Sentence]]) -> None:
    tokens = [token for sentence in sets["train"] for token, _ in sentence]
    numerals = [token for token in tokens if parse_numeral(token) is not None]
    assert 8.5 < len(tokens) / len(sets["train"]) < 11.5
    assert 0.15 < len(numerals) / len(tokens) < 0.20
    assert 400 < len(set(tokens) - set(numerals)) < 800


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_well_formed(name: str, sets: dict[str, list[Sentence]]) -> None:
    for sentence in sets[name]:
        before = "O"
        for token, label in sentence:
            if label.startswith("I-"):
                assert before[2:] == label[2:], sentence
            is_numeral = parse_numeral(token) is not None
            if label == "O":
                assert not is_numeral, sentence
            elif label.startswith("B-"):
                assert is_numeral != (label == "B-letter_size"), sentence
            before = label
        assert stretched(sentence)


def test_quantities_of_several_tokens_are_one_stretch() -> None:
    text = "i'm 5'8\" and 12 stone 4"
    message = Message(text, (Span("height", 4, 7), Span("weight", 13, 23)))
    labels = ["O", "B-height", "I-height", "I-height", "O", "O", "B-weight", "I-weight", "I-weight"]
    assert tag(message) == list(zip(words_of(text), labels, strict=True))


def words_of(text: str) -> list[str]:
    return text.replace("'8\"", " ' 8 \"").split()


def test_augmented_sentences_differ_from_a_test_sentence_in_numerals_alone(
    sets: dict[str, list[Sentence]],
) -> None:
    frames = {frame(sentence) for sentence in sets["test"]}
    assert all(frame(sentence) in frames for sentence in sets["test-augmented"])
    by_frame = Counter(frame(sentence) for sentence in sets["test-augmented"])
    assert len(by_frame) > 0.9 * len(frames)


def frame(sentence: Sentence) -> tuple[tuple[str, str], ...]:
    """The sentence with its numerals reduced to their decimals."""
    return tuple(
        ("0" * len(token.partition(".")[2]) if parse_numeral(token) is not None else token, label)
        for token, label in sentence
    )


def test_the_hard_set_is_what_has_no_cue(sets: dict[str, list[Sentence]]) -> None:
    hard = {words(sentence) for sentence in sets["test-hard"]}
    for sentence in sets["test"]:
        numerals = [
            (place, label[2:])
            for place, (_, label) in enumerate(sentence)
            if label[:2] == "B-" and label != "B-letter_size"
        ]
        cued = any(
            token in CUES[label]
            for place, label in numerals
            for token, label_of_token in sentence[max(0, place - 3) : place + 4]
            if label_of_token == "O"
        )
        if words(sentence) in hard:
            assert numerals, sentence
            assert not cued, sentence
        elif not any(label.startswith("I-") for _, label in sentence):
            assert cued or not numerals, sentence


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("82/weight kg 177/height cm what size", False),
        ("82/weight 177/height what size", True),
        ("i'm 16.5/foot_length can i buy 24/shoe_size", True),
        ("i'm 16.5/foot_length can i buy size 24/shoe_size", False),
        ("my waist is 80/waist", False),
        ("my waist as i said is 80/waist", True),
        ("is xl/letter_size ok", False),
        ("39/shoulder across the shoulders xl/letter_size", False),
        ("arms are long 87/sleeve", False),
        ("23/head will the helmet fit", False),
        ("is m/letter_size right for 165/height", True),
        ("is 1.65/height m right", False),
    ],
)
def test_hard_sentences_by_hand(text: str, hard: bool) -> None:
    parts = [part.partition("/") for part in text.split()]
    sentence = [(word, f"B-{label}" if label else "O") for word, _, label in parts]
    assert is_hard(sentence) is hard


def test_a_bare_number_between_me_and_a_size_is_no_head(sets: dict[str, list[Sentence]]) -> None:
    """`i'm 22, M?` tells an age or a weight, unless a head or a hat is spoken of."""
    for name in ("train", "dev", "test"):
        for sentence in sets[name]:
            if any(label == "B-head" for _, label in sentence):
                unlabelled = {token for token, label in sentence if label == "O"}
                assert unlabelled & CUES["head"], sentence


def test_cues_are_given_for_every_label() -> None:
    assert set(CUES) == set(LABELS)
