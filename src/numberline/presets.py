"""The name of a preset → settings of train.

Packages bring presets as entry points of the group `numberline.presets`: functions that take the
settings of the caller, which win, and return them together with those of the preset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numberline.errors import ConfigError
from numberline.extras import plugins

GROUP = "numberline.presets"


def preset_names() -> list[str]:
    """Return the names of all presets; none is loaded."""
    return sorted(plugins(GROUP))


def with_preset(name: str | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset together with those of the caller, which win."""
    if name is None:
        return dict(settings)
    if name not in plugins(GROUP):
        raise ConfigError("preset", name, f"one of {', '.join(preset_names())}")
    preset: Callable[[Mapping[str, Any]], dict[str, Any]] = plugins(GROUP)[name].load()
    return preset(settings)
