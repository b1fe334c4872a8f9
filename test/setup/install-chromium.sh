#!/bin/sh
# The tests of the page need a browser: installs Debian's, where there is none and that is possible.
if [ -n "${HALYARD_CHROMIUM:-}" ] || [ -x /usr/bin/chromium ]; then exit 0; fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
  echo 'There is no Chromium: install it, or name its path in HALYARD_CHROMIUM.' >&2
  exit 0
fi
echo 'Installing Chromium for the tests of the page'
export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3; do
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null && exit 0
  sleep "$attempt"
done
echo 'Chromium could not be installed: name the path of one in HALYARD_CHROMIUM.' >&2
