"""The file of tokens, the address, and when the server will not listen at all."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.config import ConfigError
from morenashi.server.clients import ALL_TOOLSETS, Client
from morenashi.server.edge.http.address import allowed_hosts, is_allowed_host, is_same_origin, parse_address
from morenashi.server.edge.http.serving import decide_access
from morenashi.server.edge.http.tokens import load_tokens

from ..workspaces import WorkspaceFolder

MOST = Client("http")
SECRET = "0123456789abcdef-secret"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tokens.toml"


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def one(more: str = "", secret: str = f'token = "{SECRET}"') -> str:
    return f'[[tokens]]\nname = "ci"\n{secret}\n{more}\n'


def refusal(path: Path, text: str) -> str:
    with pytest.raises(ConfigError) as refused:
        load_tokens(write(path, text), None, MOST)
    assert SECRET not in str(refused.value)
    return str(refused.value)


def test_a_token_grants_everything_unless_it_says_otherwise(path: Path) -> None:
    tokens = load_tokens(write(path, one()), None, MOST)
    assert tokens is not None
    client = tokens.find(SECRET)
    assert client is not None
    assert (client.name, client.toolsets, client.read_only, client.memory_tags) == ("ci", ALL_TOOLSETS, False, None)
    assert tokens.find(SECRET + " ") is None


def test_a_token_grants_what_it_says(path: Path) -> None:
    text = one('toolsets = ["manual", "memory"]\nread_only = true\nallow = ["answer:task"]')
    tokens = load_tokens(write(path, text), None, MOST)
    assert tokens is not None
    (client,) = tokens.clients
    assert (client.toolsets, client.read_only) == (frozenset({"manual", "memory"}), True)
    assert client.memory_tags == frozenset({"answer:task"})


def test_a_hash_stands_for_its_token(path: Path) -> None:
    tokens = load_tokens(
        write(path, one(secret=f'sha256 = "{hashlib.sha256(SECRET.encode()).hexdigest()}"')), None, MOST
    )
    assert tokens is not None
    assert tokens.find(SECRET) is not None


def test_the_command_line_is_the_most_that_a_token_grants(path: Path) -> None:
    most = Client("http", toolsets=frozenset({"manual", "vault"}), read_only=True)
    tokens = load_tokens(write(path, one('toolsets = ["vault", "memory"]')), None, most)
    assert tokens is not None
    assert (tokens.clients[0].toolsets, tokens.clients[0].read_only) == (frozenset({"vault"}), True)
    with pytest.raises(ConfigError, match="ci has none of the toolsets"):
        load_tokens(write(path, one('toolsets = ["memory"]')), None, most)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "tokens: expected a value: it is required"),
        ("tokens = []", "at least 1"),
        ("[[tokens]]", "tokens.0.name"),
        (one(secret=""), "tokens.0: expected either token or sha256"),
        (one(f'sha256 = "{"0" * 64}"'), "tokens.0: expected either token or sha256"),
        (one(secret='token = "short"'), "tokens.0.token: expected 16 characters or more"),
        (one(secret='token = "とても長いので誰にも当てられない合言葉"'), "of ASCII and without blanks"),
        (one(secret='token = " 0123456789abcdef"'), "of ASCII and without blanks"),
        (one(secret='sha256 = "ABC"'), "tokens.0.sha256"),
        (one(secret='sha256 = "00"'), "tokens.0.sha256"),
        (one(secret=f'sha256 = "{"AB" * 32}"'), "tokens.0.sha256"),
        (one(secret='token = "0123456789abcdef ghi"'), "of ASCII and without blanks"),
        (one().replace("ci", "c" * 65), "tokens.0.name"),
        (one("toolsets = []"), "tokens.0.toolsets"),
        (one('toolsets = ["manuals"]'), "'manual', 'vault' or 'memory'"),
        (one('toolsets = "manual"'), "tokens.0.toolsets"),
        (one('read_only = "yes"'), "tokens.0.read_only"),
        (one("allow = [1]"), "tokens.0.allow.0"),
        (
            one("alow = []"),
            "tokens.0.alow: expected one of the known names: name, token, sha256, toolsets",
        ),
        (one('allow = ["answer:task tool:x"]'), "tokens.0.allow.0"),
        ("token = []\n" + one(), "token: expected one of the known names: tokens"),
        (one().replace("ci", "local"), "none may be called local"),
        (one().replace("ci", "a b"), "tokens.0.name"),
        (one() + one(secret='token = "another-0123456789"'), "a name of its own"),
        (one() + one().replace("ci", "cd"), "two of them are the same"),
        (f"token = {SECRET}", "no TOML"),
        (f'[[tokens]]\nname = "{SECRET}', "no TOML"),
    ],
)
def test_what_is_wrong_with_the_file_is_said_without_its_secrets(path: Path, text: str, expected: str) -> None:
    assert expected in refusal(path, text)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o620, 0o610, 0o601])
def test_a_file_that_others_can_open_is_refused(path: Path, mode: int) -> None:
    with pytest.raises(ConfigError, match="chmod 600"):
        load_tokens(write(path, one(), mode), None, MOST)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    for path, said in ((pipe, "must be a file"), (tmp_path, "Is a directory"), (tmp_path / "none", "No such file")):
        with pytest.raises(ConfigError, match=said):
            load_tokens(path, None, MOST)


def test_a_file_that_is_no_text_is_no_toml(path: Path) -> None:
    path.write_bytes(one().encode("utf-16"))
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="no TOML"):
        load_tokens(path, None, MOST)


def test_the_environment_can_hold_one(path: Path) -> None:
    tokens = load_tokens(write(path, one()), SECRET + "2", MOST)
    assert tokens is not None
    assert [client.name for client in tokens.clients] == ["ci", "http"]
    with pytest.raises(ConfigError, match="HTTP_TOKEN: expected 16 characters"):
        load_tokens(None, "short", MOST)
    with pytest.raises(ConfigError, match="of ASCII and without blanks"):
        load_tokens(None, f"{SECRET}\n", MOST)


def test_without_any_there_are_none() -> None:
    assert load_tokens(None, None, MOST) is None


ONE = load_tokens(None, SECRET, MOST)


@given(st.text() | st.just(SECRET))
def test_no_text_is_a_token_but_the_one(text: str) -> None:
    assert ONE is not None
    assert (ONE.find(text) is not None) == (text == SECRET)


@pytest.mark.parametrize("text", ["\udcff", SECRET * 20, SECRET[:-1] + "\udc54"])
def test_nor_is_half_a_character_or_more_than_the_one(text: str) -> None:
    assert ONE is not None
    assert ONE.find(text) is None


@pytest.mark.parametrize(
    ("text", "host", "port", "is_loopback"),
    [
        ("8765", "127.0.0.1", 8765, True),
        ("0", "127.0.0.1", 0, True),
        ("localhost:1", "127.0.0.1", 1, True),
        ("127.0.0.2:80", "127.0.0.2", 80, True),
        ("[::1]:80", "::1", 80, True),
        ("0.0.0.0:80", "0.0.0.0", 80, False),
        ("[::]:80", "::", 80, False),
        ("192.168.1.5:65535", "192.168.1.5", 65535, False),
    ],
)
def test_an_address_is_a_port_or_a_host_and_a_port(text: str, host: str, port: int, is_loopback: bool) -> None:
    address = parse_address(text)
    assert (address.host, address.port, address.is_loopback) == (host, port, is_loopback)


@pytest.mark.parametrize(
    "text", ["", ":", "x", "example.com:80", "1:2:3", "::1:80", "65536", "-1", "80:localhost", "127.0.0.1"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="--http: expected"):
        parse_address(text)


@pytest.mark.parametrize("further", ["example.com:80", "http://example.com", "a b", "*", "::1"])
def test_a_name_of_a_host_is_given_without_port(further: str) -> None:
    with pytest.raises(ConfigError, match="HTTP_HOSTS"):
        allowed_hosts(parse_address("80"), further)


def test_further_names_are_answered_to() -> None:
    hosts = allowed_hosts(parse_address("192.168.1.5:80"), "Manuals.Example.com, [fd00::1]")
    for header in ("manuals.example.COM", "manuals.example.com:443", "192.168.1.5:80", "[fd00::1]:1", "localhost"):
        assert is_allowed_host(header, hosts)
    assert not is_allowed_host("example.com", hosts)


@given(st.text())
def test_any_other_text_is_neither_our_host_nor_our_origin(text: str) -> None:
    hosts = allowed_hosts(parse_address("80"), "")
    assert is_allowed_host(text, hosts) == (text.lower().rpartition(":")[0] in hosts or text.lower() in hosts)
    assert is_same_origin(text, "localhost:80") == (text.lower() in ("http://localhost:80", "https://localhost:80"))


@pytest.mark.parametrize(
    "header", ["evillocalhost", "x.localhost", "localhost evil", "localhost:80@evil", "localhost:"]
)
def test_what_only_begins_or_ends_as_our_host_is_another(header: str) -> None:
    assert not is_allowed_host(header, allowed_hosts(parse_address("80"), ""))


@pytest.mark.parametrize(
    "origin", ["ftp://localhost:80", "http://x://localhost:80", "http://localhost:80/", "http://x@localhost:80"]
)
def test_what_only_ends_as_our_origin_is_another(origin: str) -> None:
    assert not is_same_origin(origin, "localhost:80")


def test_the_command_line_names_the_tokens_before_the_environment_does(workspace: WorkspaceFolder, path: Path) -> None:
    other = write(path.with_name("other.toml"), one().replace("ci", "other"))
    config = workspace.config(HTTP_TOKENS=str(other))
    access = decide_access(config, parse_address("0"), write(path, one()), MOST)
    assert [client.name for client in access.callers] == ["ci"]


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"])
def test_beyond_the_loopback_a_token_is_needed(workspace: WorkspaceFolder, listen: str) -> None:
    with pytest.raises(ConfigError, match="others can call"):
        decide_access(workspace.config(), parse_address(listen), None, MOST)
    access = decide_access(workspace.config(HTTP_TOKEN=SECRET), parse_address(listen), None, MOST)
    assert [client.name for client in access.callers] == ["http"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--http", "--toolsets", "manuals"], "--toolsets: expected one or more of manual, vault, memory"),
        (["--tokens", "x"], "only --http takes tokens"),
    ],
)
def test_a_server_that_cannot_begin_says_why(workspace: WorkspaceFolder, arguments: list[str], message: str) -> None:
    done = workspace.run_program("serve", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_port_that_is_taken_is_named(workspace: WorkspaceFolder) -> None:
    with parse_address("0").bind() as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{port}: Address already in use$"):
            parse_address(str(port)).bind()


def test_the_configuration_does_not_show_the_token(workspace: WorkspaceFolder) -> None:
    assert SECRET not in repr(workspace.config(HTTP_TOKEN=SECRET))


def test_a_file_of_tokens_that_tools_can_read_is_refused(workspace: WorkspaceFolder) -> None:
    vault = workspace.root / "vault"
    vault.mkdir()
    tokens = write(vault / "tokens.toml", one())
    with pytest.raises(ConfigError, match=r"^--tokens: tools read and write what lies in the vault"):
        decide_access(workspace.config(), parse_address("8765"), tokens, MOST)
