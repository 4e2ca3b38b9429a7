#!/usr/bin/env bash
# scripts/check-includes.sh - checks the dependency rule: which room may include which
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exec python3 "$(dirname "${BASH_SOURCE[0]}")/check_includes.py" "$@"
