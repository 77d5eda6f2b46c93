"""Prints the public declarations of modules, each with its types and constraints, and each conformance, one a line.

The arguments are files that the API digester of Swift wrote.
"""

import json
import sys


def constraints(node):
    signature = node.get("sugared_genericSig") or node.get("genericSig") or ""
    return " " + signature if signature else ""


def types(node):
    """The types of the result and of the parameters, those with a default marked."""
    found = (child for child in node.get("children", []) if child["kind"].startswith("Type") and "declKind" not in child)
    return ", ".join(child["printedName"] + (" =" if child.get("hasDefaultArg") else "") for child in found)


def declarations(node, path):
    for child in node.get("children", []):
        if "declKind" not in child or child.get("isInternal"):
            continue
        name = path + child["printedName"]
        is_type = child["kind"] == "TypeDecl"
        yield name + constraints(child) if is_type else f"{name}: {types(child)}{constraints(child)}"
        for conformance in child.get("conformances", []):
            yield f"{name}: {conformance['printedName']}"
        if is_type:
            yield from declarations(child, name + ".")


lines = set()
for argument in sys.argv[1:]:
    with open(argument) as file:
        lines.update(declarations(json.load(file)["ABIRoot"], ""))
print("\n".join(sorted(lines)))
