# tests/folders.py - temporary folders of test scripts
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import shutil
import time


def remove(folder):
    """Removes a folder, also while a compile server is still writing into a cache in it."""
    for _ in range(100):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.05)
