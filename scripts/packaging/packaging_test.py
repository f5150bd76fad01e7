"""What the judge of native files lets through, which licences go along, what is left of a package packed once more."""

import gzip
import io
import random
import zipfile

import pytest
from packaging_path import load

abi = load("abi")
notices = load("notices")
recompress = load("recompress")
sbom = load("sbom")
sizes = load("sizes")

ADDON = "honeyguide.linux-x64-gnu.node"
MUSL = "honeyguide.linux-x64-musl.node"
# Something to compress that is no mere repetition.
TEXT = b"".join(b"%d, " % number for number in random.Random(1).choices(range(1_000), k=20_000))


def test_a_file_for_the_oldest_glibc_passes():
    assert abi.judge(ADDON, (2, 17), ["libc.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2"]) == []


def test_a_file_for_a_newer_glibc_is_a_fault():
    assert "2.28" in abi.judge(ADDON, (2, 28), [])[0]


def test_versions_are_compared_as_numbers():
    assert abi.judge(ADDON, (2, 9), []) == []


@pytest.mark.parametrize("newest", [(2, 2), (2, 34)])
def test_a_file_for_musl_that_asks_for_glibc_is_a_fault(newest):
    assert len(abi.judge(MUSL, newest, ["libc.so"])) == 1


def test_a_file_for_glibc_that_was_built_for_musl_is_a_fault():
    assert len(abi.judge(ADDON, None, ["libc.so"])) == 1


def test_a_library_that_a_system_may_lack_is_a_fault():
    assert "libssl.so.3" in abi.judge(ADDON, (2, 17), ["libssl.so.3"])[0]


@pytest.mark.parametrize(
    ("tag", "faults"),
    [("manylinux_2_17_x86_64.manylinux2014_x86_64", 0), ("manylinux_2_34_x86_64", 1), ("linux_x86_64", 1)],
)
def test_the_tag_of_a_wheel_says_how_old_a_system_may_be(tag, faults):
    place = f"honeyguide-0.1.0-cp310-abi3-{tag}.whl:_native.abi3.so"
    assert len(abi.judge(place, (2, 17), [])) == faults


@pytest.mark.parametrize(
    ("symbol", "crate"),
    [
        ("regex_automata::meta::regex::Regex::new", "regex_automata"),
        ("<jsonschema::node::SchemaNode as jsonschema::validator::Validate>::validate", "jsonschema"),
        ("core::ptr::drop_in_place<alloc::vec::Vec<serde_json::value::Value>>", "serde_json"),
        ("<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop", "std"),
        ("<&mut honeyguide::text::Terms as core::iter::Iterator>::next", "honeyguide"),
        ("memcpy", "(no crate: C, data without a path)"),
    ],
)
def test_a_symbol_belongs_to_the_crate_without_which_it_would_not_be_there(symbol, crate):
    assert sizes.crate_of(symbol) == crate


def test_a_wheel_that_is_packed_once_more_is_smaller_and_holds_the_same():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        program = zipfile.ZipInfo("größe/_native.so", (2026, 11, 30, 23, 59, 58))
        program.external_attr = 0o100755 << 16
        program.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(program, TEXT)
        archive.writestr("empty", b"")
        archive.writestr("short", b"x")
    again = recompress.recompress("a.whl", packed.getvalue())
    assert len(again) < len(packed.getvalue())
    assert zipfile.ZipFile(io.BytesIO(again)).testzip() is None
    assert recompress.entries(again) == recompress.entries(packed.getvalue())
    assert zipfile.ZipFile(io.BytesIO(again)).getinfo("größe/_native.so").external_attr >> 16 == 0o100755


def test_an_npm_package_that_is_packed_once_more_is_smaller_and_holds_the_same():
    packed = gzip.compress(TEXT, 1)
    again = recompress.recompress("a.tgz", packed)
    assert len(again) < len(packed)
    assert gzip.decompress(again) == TEXT


def test_a_bill_names_every_crate_with_its_licence_and_nothing_of_the_machine():
    crates = [
        {"name": "one", "version": "1.0.0", "license": "MIT/Apache-2.0", "manifest_path": "/home/me/one/Cargo.toml"},
        {"name": "two", "version": "0.2.0", "license": None, "manifest_path": "/home/me/two/Cargo.toml"},
    ]
    bill = sbom.bill({**crates[1], "name": "own"}, crates)
    assert bill["metadata"] == {"component": {"type": "library", "name": "own", "version": "0.2.0"}}
    assert bill["components"] == [
        {
            "type": "library",
            "name": "one",
            "version": "1.0.0",
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
            "purl": "pkg:cargo/one@1.0.0",
        },
        {"type": "library", "name": "two", "version": "0.2.0", "purl": "pkg:cargo/two@0.2.0"},
    ]


def test_of_licences_that_leave_the_choice_the_shorter_is_taken_and_a_notice_stays(tmp_path):
    for name in ("LICENSE-APACHE", "LICENSE-MIT", "NOTICE"):
        (tmp_path / name).write_text(f"{name} \n")
    assert notices.licence_texts(tmp_path, "MIT OR Apache-2.0") == ["LICENSE-MIT", "NOTICE"]
    assert notices.licence_texts(tmp_path, "Apache-2.0/MIT") == ["LICENSE-MIT", "NOTICE"]
    assert notices.licence_texts(tmp_path, "(MIT OR Apache-2.0) AND Unicode-3.0") == ["LICENSE-MIT", "NOTICE"]
    for all_of_it in ("MIT AND Apache-2.0", "(MIT OR Zlib) AND Apache-2.0", ""):
        assert notices.licence_texts(tmp_path, all_of_it) == ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"]
    (tmp_path / "LICENSE-MIT").unlink()
    assert notices.licence_texts(tmp_path, "MIT OR Apache-2.0") == ["LICENSE-APACHE", "NOTICE"]


def test_terms_that_crates_share_stand_once_below_who_holds_their_copyright():
    one = "Copyright (c) A\n\nPermission is hereby granted, x\ny"
    other = "MIT\n\n(c) B\n\nPermission is hereby granted,\nx y"
    group = notices.Group(notices.parted(one)[1])
    for text, crate in ((one, "a 1"), (other, "b 2")):
        holders, terms = notices.parted(text)
        assert " ".join(terms.split()) == " ".join(group.terms.split())
        group.crates.setdefault(holders, []).append(crate)
    said = group.text()
    assert said.startswith("a 1\nCopyright (c) A\n\nb 2\nMIT\n\n(c) B\n\n")
    assert said.count("Permission") == 1
    assert notices.parted("Other terms") == ("", "Other terms")
