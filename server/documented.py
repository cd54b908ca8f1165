"""Models whose JSON schemas carry the docstrings below their attributes.

Pydantic's own `use_attribute_docstrings` reads them when a class is made, which costs every start as long as ten
searches. They are read from the source here, once, and only when somebody asks for a schema.
"""

import ast
import inspect
import sys
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic_core import CoreSchema


class Documented(BaseModel):
    """A model; each string that follows an attribute is its description. Its validator is built when it is first used:
    that of an answer never is.
    """

    model_config = ConfigDict(defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema)["properties"]
        for name, text in _descriptions(cls).items():
            properties[name].setdefault("description", text)
        return schema


def _descriptions(model: type[BaseModel]) -> dict[str, str]:
    """By attribute, those of the bases first."""
    found: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if issubclass(each, Documented):
            found |= _in_module(each.__module__).get(each.__name__, {})
    return {name: text for name, text in found.items() if name in model.model_fields}


@cache
def _in_module(name: str) -> dict[str, dict[str, str]]:
    """The docstrings of attributes of all classes of a module."""
    classes = [node for node in ast.parse(inspect.getsource(sys.modules[name])).body if isinstance(node, ast.ClassDef)]
    return {node.name: _below_attributes(node) for node in classes}


def _below_attributes(node: ast.ClassDef) -> dict[str, str]:
    found = {}
    for pair in zip(node.body, node.body[1:], strict=False):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = inspect.cleandoc(text)
    return found
