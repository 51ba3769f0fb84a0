"""The name of an experiment → settings of train.

A package brings presets as entry points of the group `numberline.presets`: functions that take the
settings given beside the preset, and return those together with its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numberline.errors import ConfigError
from numberline.extras import plugins

GROUP = "numberline.presets"


def preset_names() -> list[str]:
    return sorted(plugins(GROUP))


def with_preset(name: str | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset with those given beside it, which win."""
    if name is None:
        return dict(settings)
    if name not in plugins(GROUP):
        raise ConfigError("preset", name, f"one of {', '.join(preset_names())}")
    found: dict[str, Any] = plugins(GROUP)[name].load()(settings)
    return found
