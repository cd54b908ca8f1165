"""What documentation is written in, or handed out as, besides Markdown and JSON: nobody reads it here. Pure."""

from pathlib import PurePath

_TEXT_FORMATS = frozenset(
    [
        *(".mdoc", ".qmd", ".rmd", ".rst", ".adoc", ".asciidoc", ".textile", ".wiki", ".org", ".tex", ".txt", ".pod"),
        *(".html", ".htm", ".xhtml", ".ipynb", ".xml", ".dita", ".pdf", ".epub"),
        *(".yaml", ".yml", ".jsonc", ".json5", ".jsonl", ".ndjson"),
        *(".doc", ".docx", ".docm", ".odt", ".rtf", ".jtd", ".ppt", ".pptx", ".odp"),
        *(".xls", ".xlsx", ".xlsm", ".ods", ".csv", ".tsv"),
    ]
)


def other_format_of(name: str) -> str | None:
    """The suffix of a file's name if its format holds text that is not read; pictures and programs are none."""
    suffix = PurePath(name).suffix.lower()
    return suffix if suffix in _TEXT_FORMATS else None
