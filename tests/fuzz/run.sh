#!/usr/bin/env bash
# Fuzz the native scanner under AddressSanitizer and UndefinedBehaviorSanitizer.
# usage: tests/fuzz/run.sh [SECONDS] [SEED]; PYTHON and CXX choose the tools.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${PYTHON:-.venv/bin/python}" tests/fuzz/dump_tables.py "$work/tables"
"${CXX:-g++}" -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
  -D_GLIBCXX_ASSERTIONS -Inative/reading tests/fuzz/fuzz_scanner.cpp \
  native/reading/{line,decimal,numerals,number_phrases,scanner,counting}.cpp -o "$work/fuzz_scanner"
"$work/fuzz_scanner" "$work/tables" "${1:-60}" "${2:-1}"
