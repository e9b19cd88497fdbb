#!/bin/bash
# Makes the Debian package, installs it on a bare Debian 12, simulates and renders a shot there as a plain user, and
# removes the package. Exits with 1 if something fails or stays. It runs as root, and needs debootstrap and 3 GB.
# usage: tests/campaign/package.sh [PACKAGE]
# PACKAGE: a package that exists; otherwise one is made, which takes five minutes on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bare=$PWD/build/bare

fail() { printf 'package.sh: %s\n' "$*" >&2; exit 1; }
inside() { chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
asUser() { inside setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/user "$@"; }
leave() { umount "$bare/proc" 2>/dev/null || true; }
trap leave EXIT

((EUID == 0)) || fail "only root can make a bare Debian"
command -v debootstrap >/dev/null || fail "debootstrap is missing; on Debian: apt-get install debootstrap"
package=${1-$(./firn package | tail -1)}
[[ -f $package ]] || fail "$package: no such file"
mirror=$(apt-get indextargets --format '$(SITE) $(REPO_URI)' 'Created-By: Packages' | awk '{ print $2; exit }')

rm -rf "$bare"
debootstrap --variant=minbase bookworm "$bare" "$mirror" > build/bare.log
cp -r /etc/apt/. "$bare/etc/apt/"
cp /etc/resolv.conf /etc/hosts "$bare/etc/"
mount -t proc proc "$bare/proc"
cp "$package" "$bare/tmp/firn.deb"
inside apt-get -qq update
inside dpkg-query -W -f '${Package}\n' | sort > build/bare.before
inside apt-get -qq install --no-install-recommends /tmp/firn.deb >> build/bare.log
inside useradd --create-home --uid 1000 user

for program in firn-sim firn-render; do
  asUser "$program" --version
  [[ -f $bare/usr/share/man/man1/$program.1.gz ]] || fail "the manual page of $program is missing"
  asUser bash -c "source /usr/share/bash-completion/completions/$program && complete -p $program" >/dev/null
  if FIRN_INSTRUCTIONS=MMX chroot "$bare" "/usr/bin/$program" --version 2>/dev/null; then
    fail "$program starts with FIRN_INSTRUCTIONS=MMX"
  fi
done
asUser bash -ec '
  cd
  cp -r /usr/share/firn/scenes .
  firn-sim run scenes/snowball-smash.toml --quality draft --frames 1-8 --out cache --progress none
  firn-sim info cache
  firn-render frames scenes/snowball-smash.toml --quality draft --cache cache --frames 8 --res 480x270 --spp 8 --out pictures --progress none
  FIRN_INSTRUCTIONS=AVX2 firn-sim run scenes/snowball-smash.toml --quality draft --frames 1-2 --out avx2 --progress none
  firn-sim info avx2 | grep -q "simulated with AVX2 instructions"'
cp "$bare"/home/user/pictures/*.png build/bare.png

inside apt-get -qq purge --autoremove firn >> build/bare.log
left=$(find "$bare" -xdev -name '*firn*' -not -path "$bare/home/*" -not -path "$bare/tmp/*" -not -path "$bare/var/log/*")
[[ -z $left ]] || fail "files stay after the removal: $left"
inside dpkg-query -W -f '${Package}\n' | sort | diff build/bare.before - || fail "packages stay after the removal"
echo "package.sh: installed, ran, and was removed; its picture is build/bare.png"
