"""Writes dist/morenashi-VERSION.mcpb, the bundle for Claude Desktop: `python deploy/bundle.py WHEEL`.

A bundle is a zip archive with a manifest at its top. This one holds the wheel, and a project that depends on it: the
host's uv installs both. Its own files have fixed dates, so that the same wheel gives the same bundle.
"""

import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
_DATE = (1980, 1, 1, 0, 0, 0)

_PROJECT = """\
[project]
name = "morenashi-bundle"
version = "{version}"
requires-python = ">=3.11,<3.15"
dependencies = ["morenashi"]

[tool.uv]
package = false

[tool.uv.sources]
morenashi = {{ path = "{wheel}" }}
"""


def write_bundle(wheel: Path, folder: Path) -> Path:
    """Write the bundle of a wheel into a folder, and give its path."""
    version = wheel.name.split("-")[1]
    bundle = folder / f"morenashi-{version}.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("manifest.json", "main.py"):
            _add(archive, name, (HERE / "mcpb" / name).read_bytes())
        _add(archive, "pyproject.toml", _PROJECT.format(version=version, wheel=wheel.name).encode())
        _add(archive, "LICENSE", (HERE.parent / "LICENSE").read_bytes())
        _add(archive, wheel.name, wheel.read_bytes())
    return bundle


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)


if __name__ == "__main__":
    given = Path(sys.argv[1])
    sys.stdout.write(f"{write_bundle(given, given.parent)}\n")
