"""
A JUnit file of gates and clips, for runs that are gated without pytest (`asrbench merge --junit`).

Names are those of the plugin: `asrbench::gate[ctem]`. A clip without a result is an error.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

from pytest_asrbench.model import ClipRecord, Outcome
from pytest_asrbench.reports import junit
from pytest_asrbench.reports.text import printable
from pytest_asrbench.reports.view_model import ViewModel
from pytest_asrbench.run.build import record_key

_NOT_DECIDED = ("inconclusive", "not_evaluated", "ungated")


def document(view: ViewModel) -> str:
    """The file's text: one test case a clip, then one a gate."""
    gates = [gate for gate in view.gates if gate.status != "ungated"]
    records = [record for part in view.run.parts for record in part.records]
    skipped = sum(gate.status in _NOT_DECIDED for gate in gates)
    suite = _element(
        "testsuite",
        name="asrbench",
        tests=str(len(records) + len(gates)),
        failures=str(sum(gate.failed for gate in gates)),
        errors=str(len(view.errors)),
        skipped=str(skipped),
        timestamp=view.run.started.removesuffix("Z"),
    )
    suite.extend(_clip(record) for record in records)
    suite.extend(_gate(gate) for gate in gates)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _clip(record: ClipRecord) -> ET.Element:
    name = f"clip[{record_key(record.key, record.repeat)}]"
    case = _element("testcase", classname="asrbench", name=name)
    properties = ET.SubElement(case, "properties")
    for key, value in junit.properties(record):
        properties.append(_element("property", name=key, value=str(value)))
    if record.error:
        case.append(_element("error", message=f"{record.error.kind}: {record.error.message}"))
    return case


def _gate(gate: Outcome) -> ET.Element:
    case = _element("testcase", classname="asrbench", name=f"gate[{gate.name}]")
    if gate.failed:
        case.append(_element("failure", message=gate.detail))
    elif gate.status in _NOT_DECIDED:
        case.append(_element("skipped", message=f"{gate.status}: {gate.detail}"))
    return case


def _element(tag: str, **attributes: str) -> ET.Element:
    shown: Mapping[str, str] = {key: printable(value) for key, value in attributes.items()}
    return ET.Element(tag, dict(shown))
