#!/usr/bin/env bash
# scripts/check-fresh-system.sh - from an empty Debian to a specialised program, by README.md alone
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: check-fresh-system.sh [FOLDER] [MIRROR]
#
# Installs Debian 12 in FOLDER (default: build/fresh-system) with debootstrap, copies what git tracks to
# /root/solver/libspecrt there, and pastes the blocks of README.md's section on using libspecrt into a
# shell. Ends with an error unless a report then shows a specialised region. Needs root, debootstrap
# and the mirror; takes a quarter of an hour of one processor, as libspecrt is built twice. The folder
# is removed when all went well.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
fresh=$(realpath -m "${arguments[0]:-build/fresh-system}")
mirror=${arguments[1]:-http://deb.debian.org/debian}
((EUID == 0)) || die "must be run as root: debootstrap and chroot need it"
command -v debootstrap >/dev/null || die "debootstrap is not installed (apt install debootstrap)"
[[ ! -e $fresh ]] || die "$fresh exists"

leave() {
  for mounted in proc dev; do
    if mountpoint -q "$fresh/$mounted"; then
      umount "$fresh/$mounted"
    fi
  done
}
trap leave EXIT

say "Installing Debian 12 in $fresh"
debootstrap --variant=minbase --include=ca-certificates bookworm "$fresh" "$mirror" >"$fresh.log" 2>&1 ||
  die "debootstrap failed, see $fresh.log"
rm "$fresh.log"
printf 'deb %s %s main\n' "$mirror" bookworm "$mirror" bookworm-updates \
  "${mirror%/debian}/debian-security" bookworm-security >"$fresh/etc/apt/sources.list"
cp /etc/resolv.conf "$fresh/etc/"
mount -t proc proc "$fresh/proc"
mount --bind /dev "$fresh/dev"

work=$fresh/root/solver
mkdir -p "$work/libspecrt"
git ls-files -z | xargs -0 cp --parents -t "$work/libspecrt"
tests/package/documents.py README.md "Using it" >"$work/paste.sh"
# A first report may come from a run that was too short for it on a busy machine.
say "Pasting README.md"
chroot "$fresh" /bin/bash -c "cd /root/solver && time env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  bash ./paste.sh" 2>&1 | tee "$fresh.log"
reports=$(grep -cE ':[0-9]+\b.* specialised ' "$fresh.log" || true)
((reports > 0)) || die "no region was specialised, see $fresh.log"
say "README.md leads to a specialised program"
leave
rm -rf --one-file-system "$fresh" "$fresh.log"
