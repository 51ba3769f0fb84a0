"""A model ↔ the Hugging Face Hub, or a folder as it lies there: the model folder and a card."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numberline.errors import HubError, NumberlineError, StoreError
from numberline.extras import optional
from numberline.files.store import HEADER, TENSORS
from numberline.files.whole_folder import free_folder, replace_folder
from numberline.integrations.model_card import model_card
from numberline.model.embeddings import Embeddings
from numberline.model.folder import is_model, load, save
from numberline.version import __version__

CARD = "README.md"
REPOSITORY = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)


def save_pretrained(
    model: Embeddings,
    folder: str | Path,
    *,
    place: str | None = None,
    replace_card: bool = False,
    **metadata: Any,
) -> None:
    """Write the model folder and its card.

    `place` is what the card gives from_pretrained: the id of a repository; by default the folder.
    A card that is there stays, as someone may have worked on it, unless `replace_card` says so.
    `metadata` goes to the head of the card: license, language, datasets …
    """
    target = free_folder(Path(folder), "model", is_model, overwrite=True)
    card = model_card(model, place or str(folder), metadata)
    if (target / CARD).exists() and not replace_card:
        card = (target / CARD).read_text(encoding="utf-8")
    with replace_folder(target) as unfinished:
        save(model, unfinished)
        (unfinished / CARD).write_text(card, encoding="utf-8")


def from_pretrained(
    path_or_repo_id: str | Path,
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    cache_dir: str | Path | None = None,
    local_files_only: bool = False,
    verify: bool = True,
) -> Embeddings:
    """The model in a folder, if there is such a folder, or else in a repository of the Hub.

    `revision` is a branch, tag or commit; the options between it and `verify` are those of
    huggingface_hub.snapshot_download. Nothing that is downloaded is ever executed.
    """
    name = str(path_or_repo_id)
    if Path(path_or_repo_id).exists():
        return load(path_or_repo_id, verify)
    if isinstance(path_or_repo_id, Path) or not REPOSITORY.fullmatch(name):
        raise StoreError(f"{name} is no folder, nor the id of a repository, such as user/model")
    hub = optional("huggingface_hub", "hub")
    with failures_named(f"{name} is no folder, and the Hub did not give it"):
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
    """Upload the model and its card, and give the address of the commit.

    The repository is made if it is not there. A card that is there stays, unless `replace_card`
    says so. `metadata` goes to the head of the card, as in save_pretrained.
    """
    api = optional("huggingface_hub", "hub").HfApi(
        token=token, library_name="numberline", library_version=__version__
    )
    with (
        failures_named(f"the Hub did not take {repo_id}"),
        tempfile.TemporaryDirectory() as scratch,
    ):
        api.create_repo(repo_id, private=private, exist_ok=True)
        keeps_card = not replace_card and api.file_exists(repo_id, CARD, revision=revision)
        folder = Path(scratch, "model")
        save_pretrained(model, folder, place=repo_id, **metadata)
        commit = api.upload_folder(
            repo_id=repo_id,
            folder_path=folder,
            commit_message=commit_message,
            revision=revision,
            ignore_patterns=[CARD] if keeps_card else None,
        )
    return str(commit.commit_url)


@contextmanager
def failures_named(what: str) -> Iterator[None]:
    """Errors of the Hub's client as one of ours, of one line."""
    answered = optional("huggingface_hub.utils", "hub").HfHubHTTPError
    try:
        yield
    except NumberlineError:
        raise
    # Where there was no answer, the error is one of the library below: of a base of that class.
    except (OSError, ValueError, *answered.__bases__) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise HubError(f"{what}: {lines[0]}") from error
