"""Messages keep to one person, and look like the writing of one person."""

from itertools import islice
from random import Random

import pytest

from numberline.tagging import Span
from numberline_shop.body_quantities import BODY_QUANTITIES
from numberline_shop.grammar import Grammar
from numberline_shop.people import adults, child
from numberline_shop.polish import finished, with_slip
from numberline_shop.scene import scene_for
from numberline_shop.voice import ADDRESSED, HE, SELF, WORDS, Forms, Voice, voice_of

JEFF = Voice(Forms("jeff", "jeff is", "jeff's", "jeff"), HE, third=True)
SPEAKERS = {"jeff": JEFF, "i": Voice(SELF, SELF, False), "you": Voice(ADDRESSED, ADDRESSED, False)}


def scene_of(seed, kind):
    person = next(person for person in adults(1) if person.kind == kind)
    return scene_for(Random(seed), person, "tops", agent=False, bare_probability=1.0)


def drafted(template, voice, careful=False):
    scene = scene_of(1, "man")
    scene.voice = voice
    scene.habits = scene.habits._replace(system="metric", careful=careful, shouts_sizes=False)
    Grammar({"start": [template]}, {**WORDS, **BODY_QUANTITIES}).write("start", scene)
    return scene


@pytest.mark.parametrize(
    ("speaker", "expected"),
    [
        ("jeff", "jeff is big, he wears his shirt, is it for him"),
        ("i", "i'm big, i wear my shirt, is it for me"),
        ("you", "you're big, you wear your shirt, is it for you"),
    ],
)
def test_nouns_come_first_and_pronouns_later(speaker, expected):
    template = "<i'm> big, <i> <wear> <my> shirt, is it for <me>"
    assert "".join(drafted(template, SPEAKERS[speaker]).pieces) == expected


@pytest.mark.parametrize(("speaker", "verb"), [("jeff", "is"), ("i", "am"), ("you", "are")])
def test_to_be_agrees_with_its_subject(speaker, verb):
    assert "".join(drafted("<am> <i>", SPEAKERS[speaker]).pieces) == f"{verb} {speaker}"


def test_parents_write_for_small_children():
    random = Random(1)
    for person in (child(random) for _ in range(500)):
        if person.age < 13:
            assert voice_of(person, random, agent=False, careful=False).third


def test_most_adults_write_for_themselves():
    random = Random(1)
    voices = [voice_of(p, random, agent=False, careful=True) for p in islice(adults(1), 500)]
    assert 0.5 < sum(not voice.third for voice in voices) / len(voices) < 0.75


def test_careful_writers_use_capitals_and_full_stops():
    text = finished(drafted("may i? <i'm> tall, i'm not", JEFF, careful=True)).text
    assert text == "May I? Jeff is tall, I'm not."


def test_a_size_stays_the_same_within_a_message():
    for seed in range(40):
        scene = scene_of(seed, "woman")
        for _ in range(5):
            BODY_QUANTITIES["{letter}"](scene)
        assert len(set(scene.pieces)) == 1


def test_a_slip_swaps_letters_of_one_word_and_spares_labels():
    text = "about 12 stone 4 right"
    results = {with_slip(text, [Span("weight", 6, 16)], Random(seed)) for seed in range(60)}
    assert len(results) > 4
    assert all(sorted(result) == sorted(text) for result in results)
    assert {result[6:16] for result in results} == {"12 stone 4"}
