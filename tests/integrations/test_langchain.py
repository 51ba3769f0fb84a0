"""LangChain's vector stores take a model; the module itself needs no LangChain."""

import asyncio
import subprocess
import sys

import numpy as np
import pytest

from numberline.errors import ConfigError, InputError
from numberline.integrations.langchain import NumberlineEmbeddings

TEXTS = ["small box holds 7 pens", "big hall seats 5,000 people", "zzz", ""]


def test_a_query_is_a_document(planted_model):
    embeddings = NumberlineEmbeddings(planted_model)
    rows = embeddings.embed_documents(TEXTS)
    assert [type(row) for row in rows] == [list] * 4
    assert type(rows[0][0]) is float
    assert rows[0] == embeddings.embed_query(TEXTS[0]) == embeddings(TEXTS[0])
    assert np.linalg.norm(rows[0]) == pytest.approx(1)
    assert rows[2] == rows[3] == [0.0] * planted_model.dim
    assert embeddings.embed_documents([]) == []
    assert embeddings.embed_documents(iter(TEXTS)) == rows


def test_the_size_of_batches_does_not_matter(planted_model):
    expected = NumberlineEmbeddings(planted_model).embed_documents(TEXTS * 5)
    for batch_size in (1, 3, 100):
        rows = NumberlineEmbeddings(planted_model, batch_size=batch_size).embed_documents(TEXTS * 5)
        assert np.array(rows) == pytest.approx(np.array(expected), abs=1e-6)


def test_numbers_decide_which_text_is_nearer(planted_model):
    embeddings = NumberlineEmbeddings(planted_model)
    few, many, query = embeddings.embed_documents(["4", "4,321.5", "few"])
    assert np.dot(few, query) > np.dot(many, query)


def test_async_methods_return_the_same(planted_model):
    embeddings = NumberlineEmbeddings(planted_model)

    async def ask():
        return await embeddings.aembed_documents(TEXTS), await embeddings.aembed_query(TEXTS[0])

    rows, row = asyncio.run(ask())
    assert rows == embeddings.embed_documents(TEXTS)
    assert row == rows[0]


def test_saved_embeddings_are_the_same(planted_model, tmp_path):
    embeddings = NumberlineEmbeddings(planted_model)
    embeddings.save(tmp_path / "saved")
    loaded = NumberlineEmbeddings.load(tmp_path / "saved", batch_size=2)
    assert loaded.batch_size == 2
    assert loaded.embed_documents(TEXTS[:2]) == embeddings.embed_documents(TEXTS[:2])


def test_what_cannot_be_embedded_is_refused(planted_model):
    embeddings = NumberlineEmbeddings(planted_model)
    with pytest.raises(InputError, match="a list of texts is needed, not one text"):
        embeddings.embed_documents("small box")
    with pytest.raises(InputError, match="text 1 is None"):
        embeddings.embed_documents(["small", None])
    with pytest.raises(InputError, match=r"a query is one text, not \['small'\]"):
        embeddings.embed_query(["small"])
    with pytest.raises(ConfigError, match="batch_size=0"):
        NumberlineEmbeddings(planted_model, batch_size=0)
    with pytest.raises(InputError, match="a model or the path of its folder is needed, not 5"):
        NumberlineEmbeddings(5)


def test_langchain_is_not_imported():
    code = "import sys, numberline.integrations.langchain; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0
    assert "langchain_core" not in result.stdout.split()
    assert "torch" not in result.stdout.split()


def test_a_real_vector_store_finds_texts(planted_model):
    vectorstores = pytest.importorskip("langchain_core.vectorstores")
    store = vectorstores.InMemoryVectorStore(NumberlineEmbeddings(planted_model))
    store.add_texts(["small box holds 7 pens", "big hall seats 5,000 people"])
    for query, found in (("few", "small"), ("many", "big"), ("a box of 6.5", "small")):
        (document,) = store.similarity_search(query, k=1)
        assert document.page_content.startswith(found)
    (document,) = asyncio.run(store.asimilarity_search("hall of 4,321", k=1))
    assert document.page_content.startswith("big")
