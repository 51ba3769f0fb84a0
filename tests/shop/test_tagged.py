"""The tagged sets have the sizes of the paper, share no sentence, and mean what they say."""

from collections import Counter

import pytest

import numberline as nl
from numberline.tagging import Span, read_sentences, stretches
from numberline_shop import Message, tagged_sets, write_tagged
from numberline_shop.hard import CUES, is_hard
from numberline_shop.nearby import RANGES
from numberline_shop.tagged import tag

COUNTS = {"train": 1389, "dev": 793, "test": 1802}
NAMES = (*COUNTS, "test-augmented", "test-hard")


@pytest.fixture(scope="module")
def sets():
    return tagged_sets(seed=1)


def labels_of(sentence):
    return [stretch.label for stretch in stretches(label for _, label in sentence)]


def words(sentence):
    return tuple(token for token, _ in sentence)


def is_numeral(token):
    return nl.parse_numeral(token) is not None


def test_counts_are_those_of_the_paper(sets):
    assert {name: len(sets[name]) for name in COUNTS} == COUNTS
    assert 6500 < len(sets["test-augmented"]) < 9010
    assert 600 < len(sets["test-hard"]) < 950


def test_files_hold_the_sets_of_a_seed(sets, tmp_path):
    for seed in (1, 2):
        counts = write_tagged(tmp_path / f"new/{seed}", seed=seed)
        assert tuple(counts) == NAMES
        for name in NAMES:
            written = read_sentences(tmp_path / f"new/{seed}/{name}.tsv")
            assert len(written) == counts[name]
            assert (written == sets[name]) == (seed == 1)


def test_no_sentence_is_in_two_sets_or_twice_in_one(sets):
    names = [*COUNTS, "test-augmented"]
    counts = Counter(words(sentence) for name in names for sentence in sets[name])
    assert max(counts.values()) == 1


@pytest.mark.parametrize("name", COUNTS)
def test_every_label_occurs(name, sets):
    found = {label for sentence in sets[name] for label in labels_of(sentence)}
    assert found == {*RANGES, "letter_size"}


def test_sentences_resemble_customer_service_chat(sets):
    tokens = [token for sentence in sets["train"] for token, _ in sentence]
    numerals = [token for token in tokens if is_numeral(token)]
    assert 8.5 < len(tokens) / len(sets["train"]) < 11.5
    assert 0.15 < len(numerals) / len(tokens) < 0.20
    assert 400 < len(set(tokens) - set(numerals)) < 800


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_well_formed(name, sets):
    for sentence in sets[name]:
        before = "O"
        for token, label in sentence:
            if label.startswith("I-"):
                assert before[2:] == label[2:], sentence
            if label == "O":
                assert not is_numeral(token), sentence
            elif label.startswith("B-"):
                assert is_numeral(token) != (label == "B-letter_size"), sentence
            before = label
        assert labels_of(sentence)


def test_quantities_of_several_tokens_are_one_stretch():
    message = Message("i'm 5'8\" and 12 stone 4", (Span("height", 4, 7), Span("weight", 13, 23)))
    assert tag(message) == [
        ("i'm", "O"),
        ("5", "B-height"),
        ("'", "I-height"),
        ("8", "I-height"),
        ('"', "O"),
        ("and", "O"),
        ("12", "B-weight"),
        ("stone", "I-weight"),
        ("4", "I-weight"),
    ]


def test_augmented_sentences_differ_from_a_test_sentence_in_numerals_alone(sets):
    frames = {frame(sentence) for sentence in sets["test"]}
    new_frames = {frame(sentence) for sentence in sets["test-augmented"]}
    assert new_frames <= frames
    assert len(new_frames) > 0.9 * len(frames)


def frame(sentence):
    """Return the sentence with its numerals reduced to their decimals."""
    return tuple(
        ("0" * len(token.partition(".")[2]) if is_numeral(token) else token, label)
        for token, label in sentence
    )


def test_the_hard_set_is_what_has_no_cue(sets):
    hard = {words(sentence) for sentence in sets["test-hard"]}
    for sentence in sets["test"]:
        numerals = [
            (at, label[2:])
            for at, (_, label) in enumerate(sentence)
            if label[:2] == "B-" and label != "B-letter_size"
        ]
        cued = any(
            token in CUES[label]
            for at, label in numerals
            for token, label_of_token in sentence[max(0, at - 3) : at + 4]
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
        ("24/shoe_size for the hiking trip", False),
        ("my waist is 80/waist", False),
        ("my waist as i said is 80/waist", True),
        ("12/date march is fine", False),
        ("is xl/letter_size ok", False),
        ("39/shoulder across the shoulders xl/letter_size", False),
        ("arms are long 87/sleeve", False),
        ("23/head will the helmet fit", False),
        ("is m/letter_size right for 165/height", True),
        ("is 1.65/height m right", False),
    ],
)
def test_hard_sentences_by_hand(text, hard):
    parts = [part.partition("/") for part in text.split()]
    sentence = [(word, f"B-{label}" if label else "O") for word, _, label in parts]
    assert is_hard(sentence) is hard


def test_a_bare_number_between_me_and_a_size_is_no_head(sets):
    """`i'm 22, M?` tells an age or a weight, unless a head or a hat is spoken of."""
    for name in COUNTS:
        for sentence in sets[name]:
            if "head" in labels_of(sentence):
                unlabelled = {token for token, label in sentence if label == "O"}
                assert unlabelled & CUES["head"], sentence


def test_cues_are_given_for_every_label():
    assert CUES.keys() == RANGES.keys()
