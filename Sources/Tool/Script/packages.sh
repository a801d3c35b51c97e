# What the script `opcodekit` installs: Debian packages that are missing.

# Prints the missing packages, by the names of `debian`, which are Ubuntu's too, or of `fedora`, which has no
# Csound since 41. A file in /usr shows that one is installed. Where there is no apt, what was built by hand in /usr/local will do.
missing_packages() {
  local file debian fedora apt
  apt=$(command -v apt-get || true)
  while read -r file debian fedora; do
    case $csound$debian in 7*csound*) continue ;; esac
    [ -e "/usr/$file" ] || { [ -z "$apt" ] && [ -e "/usr/local/$file" ]; } || echo "${!1}"
  done <<'LIST'
bin/csound csound
include/csound/csdl.h libcsound64-dev
include/alsa/asoundlib.h libasound2-dev alsa-lib-devel
include/sndfile.h libsndfile1-dev libsndfile-devel
include/libwebsockets.h libwebsockets-dev libwebsockets-devel
include/qrencode.h libqrencode-dev qrencode-devel
include/lo/lo.h liblo-dev liblo-devel
include/seccomp.h libseccomp-dev libseccomp-devel
bin/openssl openssl openssl
LIST
}

# Runs a command as root, with sudo if the user is not root.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -- "$@"; fi
}

# Installs packages. If another apt is running, waits for it: apt waits for the lock of the packages by itself, but
# fails at the lock of its lists, so that is tried again.
apt_install() {
  local apt="env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=600" said wait
  as_root $apt install -y --no-install-recommends "$@" </dev/null && return 0
  for wait in 10 20 40 80 160 0; do
    said=$(as_root $apt update </dev/null 2>&1) && break
    case $said in *"Could not get lock"*) sleep "$wait" ;; *) break ;; esac
  done
  echo "$said"
  as_root $apt install -y --no-install-recommends "$@" </dev/null
}

install_packages() {
  local packages command
  packages=$(missing_packages debian | tr '\n' ' ')
  [ -n "$packages" ] || return 0
  command="apt-get update && apt-get install -y --no-install-recommends ${packages% }"
  if ! command -v apt-get >/dev/null; then
    command=$(missing_packages fedora | xargs)
    fail 69 "these Debian packages are missing: ${packages% }. Install their counterparts by hand${command:+, in Fedora \
$command}; where Csound is no package, build 6.18 into /usr/local, or say --csound 7."
  fi
  if [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }; then
    echo "opcodekit: installing ${packages% }" >&2
    apt_install $packages >&2 ||
      fail 69 "apt could not install ${packages% }; its own messages are above."
  else
    fail 69 "these Debian packages are missing: ${packages% }. As root, run: $command"
  fi
}

# Installs an optional package, if that is possible without asking for a password, unless a file or program of it is
# there.
install_extra() {
  local package=$1 file=$2 purpose=$3
  case $file in
    /*) compgen -G "$file" ;;
    *) command -v "$file" ;;
  esac >/dev/null && return 0
  command -v apt-get >/dev/null || return 0
  [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; } || return 0
  # `lld` itself would put its programs in the place of Swift's where Swift is in /usr; it depends on what is meant.
  [ "$package" != lld ] || package=$(apt-cache depends lld 2>/dev/null | sed -n 's/^ *Depends: //p') || true
  package=${package:-lld}
  echo "opcodekit: installing $package" >&2
  apt_install "$package" >/dev/null 2>&1 ||
    echo "opcodekit: apt could not install $package, which $purpose." >&2
}

# Installs the optional packages of these kinds. `check` has complete results without its pictures; what a test lacks, it
# is left out for, with a message. Tests play plugins in other hosts, in an emulator of arm64 and, with --all, on other
# systems; they show panels in browsers. The package csound-plugins would be another host, but needs 70 MB with its
# dependencies.
install_extras() {
  local kind package file purpose
  while read -r kind package file purpose; do
    case " $* " in *" $kind "*) install_extra "$package" "$file" "$purpose" </dev/null ;; esac
  done <<'LIST'
pictures gnuplot-nox gnuplot draws the pictures of check and report
tests pd-csound /usr/lib/pd/extra/csound6~ some tests play plugins in
tests python3-csound /usr/lib/python3/dist-packages/ctcsound.py some tests play plugins in
tests parallel parallel tests share work with
tests python3-pip pip3 tests fetch Csound 7 with
tests libc6-dev-arm64-cross /usr/aarch64-linux-gnu/include/stdio.h tests build plugins for arm64 with
tests qemu-user-static /usr/bin/qemu-aarch64-static tests play plugins for arm64 with
tests chromium-headless-shell /usr/bin/chromium-headless-shell tries the panels in the tests
all mingw-w64-x86-64-dev /usr/x86_64-w64-mingw32/lib/libucrt.a tests build plugins for Windows with
all lld /usr/bin/ld64.lld-* tests link plugins for macOS with
all wine64 /usr/lib/wine/wine64 tests play plugins for Windows with
all zip zip tests pack archives with
all wasi-libc /usr/include/wasm32-wasi/stdio.h tests build plugins for the web with
all nodejs node tests play plugins for the web with
all firefox-esr /usr/bin/firefox-esr tries the panels in the tests
all webkit2gtk-driver /usr/bin/WebKitWebDriver tries the panels in the tests
all xvfb /usr/bin/Xvfb shows a browser to the tests
all faust /usr/bin/faust compiles rivals in the tests
LIST
}
