"""Where in a file, as it stands now, a candidate's match begins. Pure."""

from morenashi.indexer.json_escapes import raw_column, unescape
from morenashi.indexer.text import original_column
from morenashi.server.reading import FileText
from morenashi.server.search.ranking.candidates import Candidate


def match_offset(file: FileText, candidate: Candidate) -> int:
    """The offset of the first character that matches; the file has the candidate's line."""
    text = file.line_text(candidate.line).rstrip("\r\n")
    if file.file_type == "json":
        return file.start_of(candidate.line) + raw_column(text, original_column(unescape(text), candidate.column))
    return file.start_of(candidate.line) + original_column(text, candidate.column)
