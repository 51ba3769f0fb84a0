#!/bin/sh
# Installs Debian's chromium, which the browser tests drive, if this user may and none is there.
set -eu
for browser in chromium chromium-browser google-chrome; do
    if command -v "$browser" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "no chromium here, and apt-get needs root: the browser tests cannot run" >&2
    exit 0
fi
echo "installing chromium for the browser tests"
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --yes --no-install-recommends chromium >/dev/null
