# shellcheck shell=bash
# Roots of other Debian releases, for scripts/other-compilers and scripts/release; sourced after common.sh, never run. Only root can make and enter one.

# can_enter_roots: fails, with the reason in `why_not`, where this machine cannot make or enter a root.
why_not=''
can_enter_roots() {
  if ((EUID != 0)); then
    why_not="only root can make and enter a root of Debian"
  elif ! unshare -m --propagation private true 2>/dev/null; then
    why_not="this machine allows no mounts"
  else
    if ! has debootstrap && has apt-get; then
      quietly "$top/build/debootstrap.log" apt-get -qq -y install --no-install-recommends debootstrap ||
        { quietly "$top/build/debootstrap.log" apt-get -qq update && quietly "$top/build/debootstrap.log" apt-get -qq -y install --no-install-recommends debootstrap; } || true
    fi
    has debootstrap || why_not="there is no debootstrap"
  fi
  [[ -z $why_not ]]
}

# bare_root RELEASE ROOT: a minimal Debian of that release (bookworm, trixie) in the folder ROOT, from this machine's package sources. (Its caller may
# ask whether it failed, so that bash does not end at an error by itself.)
bare_root() {
  local release=$1 root=$2 here mirror
  here=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # This machine's mirror, where it is one of Debian's.
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' | grep '/debian/*$' | head -n 1) || true
  rm -rf --one-file-system "$root"
  debootstrap --variant=minbase "$release" "$root" "${mirror:-http://deb.debian.org/debian}" || return
  if [[ -n $mirror ]]; then
    rm -rf "$root/etc/apt"
    cp -a /etc/apt "$root/etc/apt"
    find "$root/etc/apt" -type f \( -name '*.sources' -o -name '*.list' \) -exec sed -i "s/\b$here\b/$release/g" {} +
    cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
  fi
  # Certificates that this machine trusts, for PyPI too.
  mkdir -p "$root/etc/ssl"
  cp -a /etc/ssl/certs "$root/etc/ssl/"
  if [[ -d /usr/local/share/ca-certificates ]]; then cp -a /usr/local/share/ca-certificates "$root/usr/local/share/"; fi
  cp -a /usr/share/ca-certificates "$root/usr/share/" || true
  echo 'Dpkg::Options { "--force-confold"; "--force-unsafe-io"; };' >"$root/etc/apt/apt.conf.d/90-countpm"
}

# copy_sources ROOT: the working tree's files as they are into ROOT/countpm, with their times, so that a build in there goes on.
copy_sources() {
  mkdir -p "$1/countpm"
  find "$1/countpm" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  tar -C "$top" --exclude=./build --exclude=./dist --exclude=./.git -cf - . | tar -C "$1/countpm" -xf -
}

# in_root ROOT COMMAND: in /countpm there; the mounts that it needs end with it.
in_root() {
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/" 2>/dev/null || true
  mkdir -p "$1/countpm"
  # shellcheck disable=SC2016  # the inner shell expands it
  unshare -m --propagation private bash -c 'for m in proc sys dev dev/pts; do mount --bind "/$m" "$0/$m" || exit; done
    exec chroot "$0" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${PIP_CERT:+PIP_CERT="$PIP_CERT"} DEBIAN_FRONTEND=noninteractive \
      bash -euo pipefail -c "cd /countpm && $1"' "$1" "$2" </dev/null
}
