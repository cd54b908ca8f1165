"""A small library that most tests can share: three manuals, Markdown and JSON, nothing odd about them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..workspaces import WorkspaceFolder, make_workspace
from .serving import Serving, serving_indexed

GUIDE = """\
はじめに読む文章。

# 申請の手引き

この章は全体の説明。

## 申請の方法

申請は窓口で行う。
申請の期限は三十日とする。

### 必要な書類

住民票と印鑑。

## 取消の方法

取消は書面で行う。
"""

RULES = """\
---
title: 規則
---

# 第一章 総則

第１条 この規則は申請について定める。

# 第二章 休暇

休暇の申請は前日までに行う。
"""

SETTINGS = """\
{
  "service": {
    "name": "申請システム",
    "limits": [
      {"days": 30},
      {"days": 60, "note": "延長の申請"}
    ]
  }
}
"""

ENGLISH = """\
# Installing

Run the installer as an administrator.

# Removing

Remove the service before you delete the folder.
"""


def fill(folder: WorkspaceFolder) -> WorkspaceFolder:
    """Write the library's documents."""
    folder.write("手引き/guide.md", GUIDE)
    folder.write("手引き/config/settings.json", SETTINGS)
    folder.write("規則/rules.md", RULES)
    folder.write("english/install.md", ENGLISH)
    return folder


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The library, served; shared by the tests of a file, which only read."""
    root: Path = tmp_path_factory.mktemp("library") / "workspace"
    with serving_indexed(fill(make_workspace(root))) as manuals:
        yield manuals
