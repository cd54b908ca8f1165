"""What a server imports before its first answer: of the protocol's library no more than it uses."""

import contextlib
import gc
import importlib
import importlib.util
import sys
import threading
from collections.abc import Iterator
from types import ModuleType

# They offer much under one name, and import all of it: a client, a framework, and what these fetch and encrypt with.
_OFFERING = ("mcp", "mcp.server")


def import_for_good(name: str) -> ModuleType:
    """A module of the edge. What is imported with it lives as long as the process: the garbage collector need not look
    at it, neither while it grows nor in the middle of a search.
    """
    gc.disable()
    for package in _OFFERING:
        _defer(package)
    _defer_wire_models()
    with contextlib.nullcontext() if name.startswith("http.") else _without("uvicorn"):
        module = importlib.import_module(f".edge.{name}", __package__)
    gc.freeze()
    gc.enable()
    return module


def _defer(package: str) -> None:
    """Let the modules of a package be imported without what its `__init__` imports. That runs when it is asked for a
    name that it does not have yet.
    """
    spec = importlib.util.find_spec(package)
    if package in sys.modules or spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    load = spec.loader.exec_module
    loading = threading.RLock()
    is_loading = False

    def run_and_get(name: str) -> object:
        nonlocal is_loading
        # Whoever asks while another thread loads it has to wait, and so must come here.
        with loading:
            if is_loading:
                # What its `__init__` imports asks for what it has not yet.
                raise AttributeError(f"partially loaded module {package!r} has no attribute {name!r}")
            if module.__dict__.get("__getattr__") is run_and_get:
                is_loading = True
                try:
                    load(module)
                finally:
                    is_loading = False
                # It may have one of its own.
                if module.__dict__["__getattr__"] is run_and_get:
                    del module.__dict__["__getattr__"]
        return getattr(module, name)

    module.__dict__["__getattr__"] = run_and_get
    sys.modules[package] = module
    parent, _, child = package.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


@contextlib.contextmanager
def _without(package: str) -> Iterator[None]:
    """As if it was not installed: a library of the library looks for it, and does without."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[package]


def _defer_wire_models() -> None:
    """The library has models of every message in every version of the protocol; a client speaks one version. Each is
    built when it is first used: that is a tenth of the start.
    """
    # Another version of the library may not have it, and then only starts later.
    with contextlib.suppress(ImportError):
        from mcp_types._wire_base import WireModel

        WireModel.model_config["defer_build"] = True
