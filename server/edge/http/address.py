"""Where HTTP listens, and which names of that place a request may use."""

import ipaddress
import os
import re
import socket
from dataclasses import dataclass

from morenashi.indexer.config import ConfigError

_DEFAULT_HOST = "127.0.0.1"

_ADDRESS = re.compile(r"(?:(?P<host>\[[^\]]*\]|[^:\[\]]*):)?(?P<port>[0-9]{1,5})")
_HOST_HEADER = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True, slots=True)
class Address:
    """A place to listen at: an IP address, as text without brackets, and a port (0: any that is free)."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return ipaddress.ip_address(self.host).is_loopback

    @property
    def name(self) -> str:
        """The host as a URL has it."""
        return f"[{self.host}]" if ":" in self.host else self.host

    def bind(self) -> socket.socket:
        """Listen. Raises `ConfigError` where that is not possible."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            listening = socket.create_server((self.host, self.port), family=family)
        except OSError as error:
            # Python's own words name the address once more.
            reason = os.strerror(error.errno or 0)
            raise ConfigError(f"--http: cannot listen on {self.name}:{self.port}: {reason}") from None
        # Otherwise an answer in two parts waits 40 ms for the client to acknowledge the first. asyncio sees to that
        # where a socket says that it is TCP's, and this one does not. Connections inherit it.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening


def parse_address(text: str) -> Address:
    """`[HOST:]PORT`, the host an IP address or localhost. Raises `ConfigError`."""
    match = _ADDRESS.fullmatch(text)
    host = _DEFAULT_HOST if match is None or match["host"] is None else match["host"].strip("[]")
    host = _DEFAULT_HOST if host == "localhost" else host
    try:
        if match is None or int(match["port"]) > 65_535:
            raise ValueError
        return Address(str(ipaddress.ip_address(host)), int(match["port"]))
    except ValueError:
        raise ConfigError("--http: expected PORT or HOST:PORT, the host an IP address or localhost") from None


def allowed_hosts(address: Address, further: str) -> frozenset[str]:
    """The names that a request may call this server by: of the loopback, of the address, and `further` ones.

    A web page of another site that has its name resolve to this machine comes with that name (DNS rebinding).
    `further` has commas between. Raises `ConfigError`.
    """
    names = {name.strip().lower() for name in further.split(",") if name.strip()}
    for name in names:
        match = _HOST_HEADER.fullmatch(name)
        if match is None or match["name"] != name:
            raise ConfigError(f"HTTP_HOSTS: {name!r} is no name of a host; give it without port, IPv6 in brackets")
    return _LOOPBACK_NAMES | {address.name} | names


def is_allowed_host(header: str, allowed: frozenset[str]) -> bool:
    """Whether a `Host` header names one of these hosts, with any port or none."""
    match = _HOST_HEADER.fullmatch(header.lower())
    return match is not None and match["name"] in allowed


def is_same_origin(origin: str, host: str) -> bool:
    """Whether an `Origin` header is that of the host which the request is for: no other page has business here."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def network_of(client: tuple[str, int] | None) -> str:
    """What counts as one place to come from: an IPv4 address, or the /64 that one subscriber has in IPv6."""
    if client is None:
        return ""
    address = ipaddress.ip_address(client[0].partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
