"""Which network addresses are everybody's, and which lead into a machine or a network of its own.

`e2e/oauth/addresses.json` has examples for both languages. Resolves nothing.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from pydantic_core import Url

__all__ = ["is_loopback", "is_loopback_host", "is_public", "literal"]

_PRIVATE_4 = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this host, unspecified
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by customers of a carrier
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local: metadata of clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_6 = ip_network("2000::/3")
_PRIVATE_6 = tuple(
    ip_network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which hides an address of IPv4
        "3fff::/20",  # documentation
    )
)
_TRANSLATED_6 = ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an address is one of the internet at large. One of IPv4 may be written as one of IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    inner = _inner(parsed) if isinstance(parsed, IPv6Address) else parsed
    if inner is not None:
        return not any(inner in network for network in _PRIVATE_4)
    return parsed in _GLOBAL_6 and not any(parsed in network for network in _PRIVATE_6)


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine."""
    parsed = ip_address(address)
    inner = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return (inner or parsed).is_loopback


def literal(host: str) -> str | None:
    """The address that a host is written as, if it is no name; `127.1` and `2130706433` are addresses too."""
    try:
        written = Url(f"http://[{host}]" if ":" in host else f"http://{host}").host or ""
        return str(ip_address(written.strip("[]")))
    except ValueError:
        return None


def is_loopback_host(host: str) -> bool:
    """Whether a host is this machine by the way it is written."""
    if (address := literal(host)) is not None:
        return is_loopback(address)
    return host == "localhost" or host.endswith(".localhost")


def _inner(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address inside, mapped or translated."""
    if address in _TRANSLATED_6:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped
