"""Claims found by meaning, with vectors from a real HTTP server and from a model in a folder."""

import contextlib
import itertools
import json
import sys
import threading
import time
from array import array
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.config import ConfigError
from morenashi.indexer.database import open_reader
from morenashi.server.memory import embedder, embedding_endpoint
from morenashi.server.memory.embedding import unit
from morenashi.server.memory.static_model import StaticModel
from morenashi.server.memory.vector_functions import has_vector_functions
from morenashi.server.memory.vectors import measure, nearest_claims
from morenashi.server.memory.visible import View

from ...workspaces import WorkspaceFolder, eventually
from ..plans import explained
from .policies import EXAMPLE, policy_with
from .remembering import Remembering, remembering
from .static_models import write_model

MEANINGS = (("犬", "柴犬", "ペット"), ("株", "配当", "投資"), ("雨", "傘", "天気"))


def meaning(text: str) -> list[float]:
    """A toy model: which of three subjects a text is about."""
    return [float(sum(word in text for word in words)) for words in MEANINGS] + [0.1]


class Endpoint(ThreadingHTTPServer):
    """Answers OpenAI's embedding schema, and notes what it is sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.received: list[str] = []
        self.is_broken = False
        self.nonsense: bytes | None = None
        """Sent in place of an answer."""
        self.drips_for_ever = False
        """A blank now and then, and no end: so some keep a connection alive."""
        self.refused = "\0"
        """A text with this is refused, and with it the whole request."""
        self.moved_to: str | None = None
        """Where requests are sent on to."""
        self.followed: list[str | None] = []
        """The key of each request that was sent on to here."""

    @property
    def settings(self) -> dict[str, str]:
        url = f"http://127.0.0.1:{self.server_port}/v1"
        return {"MEMORY_EMBEDDING_URL": url, "MEMORY_EMBEDDING_MODEL": "toy", "MEMORY_EMBEDDING_KEY": "k"}


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.received += asked["input"]
        if self.server.nonsense is not None:
            self.wfile.write(self.server.nonsense)
            self.close_connection = True
            return
        if self.server.drips_for_ever:
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                while self.server.drips_for_ever:
                    self.wfile.write(b" ")
                    time.sleep(0.01)
            self.close_connection = True
            return
        if self.server.moved_to is not None:
            self.send_response(302)
            self.send_header("Location", self.server.moved_to)
            self.end_headers()
            return
        is_right = (self.path, asked["model"], self.headers["Authorization"]) == ("/v1/embeddings", "toy", "Bearer k")
        rows = [{"object": "embedding", "index": n, "embedding": meaning(t)} for n, t in enumerate(asked["input"])]
        body = json.dumps({"object": "list", "model": "toy", "data": rows[::-1]}).encode()
        is_refused = any(self.server.refused in text for text in asked["input"])
        self.send_response(400 if is_refused else 200 if is_right and not self.server.is_broken else 500)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.server.followed.append(self.headers["Authorization"])
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def embedded(memory: Remembering, count: int) -> bool:
    return eventually(lambda: memory.rows("SELECT count(*) FROM claim_vectors") == [(count,)])


def model_of(memory: Remembering, query: str) -> str:
    return str(memory.server.call("pce_memory_search", query=query)["vector"])


def test_without_a_provider_the_answer_says_so(memory: Remembering) -> None:
    memory.remember("柴犬を飼う")
    assert model_of(memory, "柴犬") == "none"


def test_what_is_meant_is_found_without_a_common_word(workspace: WorkspaceFolder, endpoint: Endpoint) -> None:
    with remembering(workspace, **endpoint.settings) as memory:
        dog, share, umbrella = (memory.remember(text) for text in ("柴犬を飼う", "配当は年二回", "傘を持つ"))
        assert embedded(memory, 3)
        assert memory.found("ペット")[0] == dog
        assert memory.found("天気")[0] == umbrella
        (first, *_) = memory.search("投資", include_meta=True)["items"]
        assert (first["claim"]["id"], first["reason"]) == (share, "meaning")
        assert first["scores"]["combined"] == pytest.approx(0.65 * first["scores"]["vector"], abs=1e-3)
        assert model_of(memory, "投資") == "toy"


def test_hidden_claims_are_not_found_by_meaning(workspace: WorkspaceFolder, endpoint: Endpoint) -> None:
    with remembering(workspace, **endpoint.settings) as memory:
        memory.remember("犬の名は taro@example.com")
        memory.remember("犬の名は秘密", boundary_class="secret")
        assert embedded(memory, 1)
        assert memory.found("ペット") == []


def test_what_is_sent_to_the_model_is_redacted(workspace: WorkspaceFolder, endpoint: Endpoint) -> None:
    with remembering(workspace, **endpoint.settings) as memory:
        memory.remember("犬の相談は taro@example.com か 090-1234-5678 へ")
        memory.remember("犬の秘密の名", boundary_class="secret")
        assert embedded(memory, 1)
        memory.search("taro@example.com の犬")
    assert sorted(endpoint.received) == ["[email] の犬", "犬の相談は [email] か [phone] へ"]


def nearness(memory: Remembering, query: str) -> dict[str, float]:
    """What a search says of how near each claim is in meaning."""
    items = memory.search(query, include_meta=True)["items"]
    return {item["claim"]["id"]: item["scores"].get("vector", 0.0) for item in items}


def test_what_a_later_policy_masks_is_not_found_by_what_it_meant(
    workspace: WorkspaceFolder, endpoint: Endpoint
) -> None:
    uses = {"MEMORY_ALLOW": "answer:task,tool:contact-lookup"}
    with remembering(workspace, policy_with(), **endpoint.settings, **uses) as memory:
        masked = memory.remember("柴犬さんの机は窓側")
        assert embedded(memory, 1)
        assert nearness(memory, "ペット")[masked] > 0.9
        policy = policy_with("redact_policies: { people: { names: ['柴犬'] } }", "1.3.0").replace("'email'", "name")
        memory.server.call("pce_memory_policy_apply", yaml=policy)
        assert nearness(memory, "ペット").get(masked, 0.0) < 0.6
        assert embedded(memory, 1)
        assert nearness(memory, "ペット")[masked] < 0.6
        # One that masks the same leaves the vectors as they are.
        memory.server.call("pce_memory_policy_apply", yaml=policy.replace("1.3.0", "1.4.0"))
        assert memory.rows("SELECT count(*) FROM claim_vectors") == [(1,)]
    assert endpoint.received.count("[name]さんの机は窓側") == 1


def test_while_the_endpoint_is_broken_words_find(workspace: WorkspaceFolder, endpoint: Endpoint) -> None:
    endpoint.is_broken = True
    with remembering(workspace, **endpoint.settings) as memory:
        claim = memory.remember("柴犬を飼う")
        assert memory.found("柴犬") == [claim]
        assert model_of(memory, "柴犬") == "unavailable"


def test_an_endpoint_that_sends_elsewhere_does_not_get_the_key_there(
    workspace: WorkspaceFolder, endpoint: Endpoint
) -> None:
    endpoint.moved_to = f"http://localhost:{endpoint.server_port}/other"
    with remembering(workspace, **endpoint.settings) as memory:
        memory.remember("柴犬を飼う")
        assert model_of(memory, "柴犬") == "unavailable"
    assert ("柴犬" in endpoint.received, endpoint.followed) == (True, [])


NONSENSE = {
    "no HTTP": b"nonsense\r\n\r\n",
    "cut off": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
    "a number without end": b'HTTP/1.1 200 OK\r\n\r\n{"data": [{"index": 0, "embedding": [1' + b"0" * 400 + b"]}]}",
    "too deep": b'HTTP/1.1 200 OK\r\n\r\n{"data": ' + b"[" * 100_000,
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_an_endpoint_that_talks_nonsense_is_unavailable_until_it_does_not(
    workspace: WorkspaceFolder, endpoint: Endpoint, nonsense: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder, "_PAUSE_SECONDS", 0.05)
    endpoint.nonsense = nonsense
    with remembering(workspace, **endpoint.settings) as memory:
        dog = memory.remember("柴犬を飼う")
        assert model_of(memory, "柴犬") == "unavailable"
        assert eventually(lambda: len(endpoint.received) >= 2)
        endpoint.nonsense = None
        assert embedded(memory, 1)
        assert memory.found("ペット") == [dog]


def test_an_endpoint_whose_answer_has_no_end_is_not_waited_for(
    workspace: WorkspaceFolder, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_endpoint, "_MOST_SECONDS", 0.2)
    endpoint.drips_for_ever = True
    try:
        with remembering(workspace, **endpoint.settings) as memory:
            memory.remember("柴犬を飼う")
            assert model_of(memory, "柴犬") == "unavailable"
    finally:
        endpoint.drips_for_ever = False


def test_a_claim_that_the_endpoint_refuses_keeps_no_other_from_it(
    workspace: WorkspaceFolder, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder, "_PAUSE_SECONDS", 0.05)
    endpoint.refused, endpoint.is_broken = "長すぎる", True
    with remembering(workspace, **endpoint.settings) as memory:
        dog = memory.remember("柴犬を飼う")
        memory.remember("長すぎる話")
        endpoint.is_broken = False
        assert embedded(memory, 1)
        assert memory.found("ペット") == [dog]


def test_vectors_are_forgotten_with_their_claim(workspace: WorkspaceFolder, endpoint: Endpoint) -> None:
    with remembering(workspace, **endpoint.settings) as memory:
        claim = memory.remember("柴犬を飼う")
        assert embedded(memory, 1)
        assert workspace.run_program("memory", "forget", claim).returncode == 0
        assert memory.rows("SELECT count(*) FROM claim_vectors") == [(0,)]
        assert memory.found("ペット") == []


def write_toy_model(folder: Path) -> None:
    """The toy model in a folder: a row for each character of its words."""
    letters = sorted({letter for words in MEANINGS for word in words for letter in word})
    rows = [[float(any(letter in word for word in words)) for words in MEANINGS] + [0.01] for letter in letters]
    write_model(folder, letters, {"embeddings": ("F32", [[0.0, 0.0, 0.0, 0.01], *rows])})


def test_a_model_in_a_folder_does_the_same(workspace: WorkspaceFolder) -> None:
    write_toy_model(workspace.root / "toy-model")
    with remembering(workspace, MEMORY_MODEL_FOLDER="toy-model") as memory:
        dog = memory.remember("柴犬と歩く")
        memory.remember("配当は年二回")
        assert embedded(memory, 2)
        assert memory.found("ペット")[0] == dog
        assert model_of(memory, "ペット") == "toy-model"


@pytest.mark.parametrize(
    "settings",
    [
        {"MEMORY_EMBEDDING_URL": "http://127.0.0.1:1/v1"},
        {"MEMORY_EMBEDDING_URL": "file:///etc", "MEMORY_EMBEDDING_MODEL": "m"},
        {"MEMORY_MODEL_FOLDER": "none"},
    ],
)
def test_a_provider_that_cannot_be_is_refused_at_the_start(
    workspace: WorkspaceFolder, settings: dict[str, str]
) -> None:
    with pytest.raises(ConfigError), contextlib.ExitStack() as stack:
        stack.enter_context(remembering(workspace, EXAMPLE, **settings))


def test_a_token_that_a_model_has_no_row_for_keeps_nothing_else_from_it(workspace: WorkspaceFolder) -> None:
    write_toy_model(workspace.root / "toy-model")
    tokenizer = workspace.root / "toy-model" / "tokenizer.json"
    known = json.loads(tokenizer.read_text("utf-8"))
    known["model"]["vocab"]["謎"] = 1_000
    tokenizer.write_text(json.dumps(known), "utf-8")
    with remembering(workspace, MEMORY_MODEL_FOLDER="toy-model") as memory:
        dog, riddle = memory.remember("柴犬と歩く"), memory.remember("謎の配当")
        assert embedded(memory, 1)
        assert memory.found("ペット")[0] == dog
        assert memory.found("謎") == [riddle]
        assert model_of(memory, "謎") == "unavailable"


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="MEMORY_MODEL_FOLDER"):
        StaticModel(tmp_path)


def test_sqlite_vec_finds_the_same(workspace: WorkspaceFolder, endpoint: Endpoint) -> None:
    with remembering(workspace, **endpoint.settings) as memory:
        for number in range(40):
            subjects = " ".join(word for place, words in enumerate(MEANINGS) for word in words[: number >> place & 3])
            memory.remember(f"{number}番 {subjects}", boundary_class="internal" if number % 3 else "public")
        assert embedded(memory, 40)
    view = View(("project", "session", "principle"), frozenset({"public", "internal"}), {"session": ""}, False)
    views = [view, replace(view, classes=frozenset({"public"})), replace(view, classes=frozenset())]
    with contextlib.ExitStack() as stack:
        plain, loaded = (stack.enter_context(contextlib.closing(open_reader(workspace.database))) for _ in range(2))
        if not has_vector_functions(loaded):
            pytest.skip("sqlite-vec cannot be loaded into this Python's SQLite")
        for text, one, count in itertools.product(("ペット", "配当 傘", "犬 株 雨"), views, (1, 7, 100)):
            asked = one, "toy", unit(meaning(text)), count
            with pytest.MonkeyPatch.context() as patch:
                patch.setitem(sys.modules, "sqlite_vec", None)
                expected = nearest_claims(plain, *asked)
            assert nearest_claims(loaded, *asked) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("with_functions", [True, False])
def test_only_the_vectors_of_visible_claims_are_looked_up(
    memory: Remembering, monkeypatch: pytest.MonkeyPatch, with_functions: bool
) -> None:
    memory.remember("柴犬を飼う")
    if not with_functions:
        monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    with explained(memory.server.folder.database) as connection:
        if with_functions and not has_vector_functions(connection):
            pytest.skip("sqlite-vec cannot be loaded into this Python's SQLite")
        nearest_claims(connection, View(("session",), frozenset({"public"}), {}, False), "toy", unit([1.0]), 5)
    asked = [step for step in connection.steps if "claim_vectors" in step]
    assert asked == ["SEARCH claim_vectors USING PRIMARY KEY (claim_number=? AND model=?)"]


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), max_size=5))
def test_cosines_are_the_same_with_and_without_numpy(rows: list[list[float]]) -> None:
    question = array("f", [0.6, 0.0, 0.8])
    stored = [array("f", row).tobytes() for row in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numpy", None)
        plain = measure(question, stored)
    assert measure(question, stored) == pytest.approx(plain, abs=1e-6)
