#!/bin/sh
# Some tests need programs that npm does not contain: Chromium and PgBouncer. If they are missing, this script installs
# the packages of Debian, where that is possible. The headless shell of Chromium is enough: it is smaller and starts
# sooner.
missing=''
[ -n "${HALYARD_CHROMIUM:-}" ] || [ -x /usr/bin/chromium-headless-shell ] || [ -x /usr/bin/chromium ] || missing='chromium'
[ -n "${HALYARD_PGBOUNCER:-}" ] || [ -x /usr/sbin/pgbouncer ] || missing="$missing pgbouncer"
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "Missing: $missing. Install them, or name their paths in HALYARD_CHROMIUM and HALYARD_PGBOUNCER." >&2
  exit 0
fi
echo "Installing for the tests: $missing"
export DEBIAN_FRONTEND=noninteractive

# Older releases of Debian have no separate package for the headless shell.
packages() {
  for program in $missing; do
    if [ "$program" = chromium ] && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
      echo chromium-headless-shell
    else
      echo "$program"
    fi
  done
}

for attempt in 1 2 3; do
  # shellcheck disable=SC2046 # Several packages.
  apt-get update -qq && apt-get install -y -qq --no-install-recommends $(packages) >/dev/null && exit 0
  sleep "$attempt"
done
echo "Could not be installed: $missing. Name their paths in HALYARD_CHROMIUM and HALYARD_PGBOUNCER." >&2
