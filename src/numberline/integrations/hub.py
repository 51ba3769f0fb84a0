"""A model ↔ a repository of the Hugging Face Hub, or a folder like it: the model and a card."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from numberline.errors import HubError, NumberlineError, StoreError
from numberline.extras import optional
from numberline.files.store import HEADER, TENSORS
from numberline.files.whole_folder import FolderWriter
from numberline.integrations.model_card import model_card
from numberline.model.embeddings import Embeddings
from numberline.model.folder import MODEL, load, write
from numberline.version import __version__

CARD = "README.md"
WITH_CARD = replace(MODEL.kind, names=MODEL.kind.names | {CARD})
REPOSITORY = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)


def save_pretrained(
    model: Embeddings,
    folder: str | Path,
    *,
    repo_id: str | None = None,
    overwrite: bool = False,
    replace_card: bool = False,
    **metadata: Any,
) -> None:
    """Write the model folder with its card; `overwrite` replaces a model in it.

    The card's example loads the model from `repo_id`, by default from the folder. An existing card
    is kept, as someone may have edited it, unless replace_card=True. `metadata` goes to the head of
    the card: license, language, datasets …
    """
    with FolderWriter(Path(folder), WITH_CARD, overwrite) as writer:
        card = model_card(model, repo_id or str(folder), metadata)
        if (writer.target / CARD).exists() and not replace_card:
            card = (writer.target / CARD).read_text(encoding="utf-8")
        with writer.replace() as new_folder:
            write(model, new_folder)
            (new_folder / CARD).write_text(card, encoding="utf-8")


def from_pretrained(
    path_or_repo_id: str | Path,
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    cache_dir: str | Path | None = None,
    local_files_only: bool = False,
    verify: bool = True,
) -> Embeddings:
    """Load a model from a folder, if there is one of that name, or from a repository of the Hub.

    `revision` is a branch, tag or commit; `token`, `cache_dir` and `local_files_only` are those of
    huggingface_hub.snapshot_download. `verify` reads all files once, to detect damage. Nothing that
    is downloaded is ever executed.
    """
    name = str(path_or_repo_id)
    if Path(path_or_repo_id).exists():
        return load(path_or_repo_id, verify)
    if isinstance(path_or_repo_id, Path) or not REPOSITORY.fullmatch(name):
        raise StoreError(
            f"{name} is neither a folder nor the id of a repository, such as user/model"
        )
    hub = optional("huggingface_hub", "hub")
    with hub_errors(f"{name} is not a folder, and the Hub did not return it"):
        folder = hub.snapshot_download(
            name,
            revision=revision,
            token=token,
            cache_dir=cache_dir,
            local_files_only=local_files_only,
            allow_patterns=[HEADER, TENSORS],
            library_name="numberline",
            library_version=__version__,
        )
    return load(folder, verify)


def push_to_hub(
    model: Embeddings,
    repo_id: str,
    *,
    private: bool | None = None,
    token: str | bool | None = None,
    revision: str | None = None,
    commit_message: str = "Add a numberline model",
    replace_card: bool = False,
    **metadata: Any,
) -> str:
    """Upload the model and its card in one commit; return the address of the commit.

    A missing repository is created. An existing card is kept, unless replace_card=True. `metadata`
    goes to the head of the card, as in save_pretrained.
    """
    api = optional("huggingface_hub", "hub").HfApi(
        token=token, library_name="numberline", library_version=__version__
    )
    with (
        hub_errors(f"the Hub did not accept {repo_id}"),
        tempfile.TemporaryDirectory() as scratch,
    ):
        api.create_repo(repo_id, private=private, exist_ok=True)
        keeps_card = not replace_card and api.file_exists(repo_id, CARD, revision=revision)
        folder = Path(scratch, "model")
        save_pretrained(model, folder, repo_id=repo_id, **metadata)
        commit = api.upload_folder(
            repo_id=repo_id,
            folder_path=folder,
            commit_message=commit_message,
            revision=revision,
            ignore_patterns=[CARD] if keeps_card else None,
        )
    return str(commit.commit_url)


@contextmanager
def hub_errors(action: str) -> Iterator[None]:
    """Turn errors of the Hub's client into a HubError of one line."""
    http_error = optional("huggingface_hub.utils", "hub").HfHubHTTPError
    try:
        yield
    except NumberlineError:
        raise
    # Without an answer, errors come from the HTTP library, as a base class of http_error.
    except (OSError, ValueError, *http_error.__bases__) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise HubError(f"{action}: {lines[0]}") from error
