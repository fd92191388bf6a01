# shellcheck shell=bash
# Finds a JDK that is new enough. Sourced by ./weft and ./test; bash 3.2 (macOS) is enough.

WEFT_JAVA_MINIMUM=25

# jdk_version HOME: prints the feature version of the JDK at HOME; fails where there is none.
# The file "release" answers without starting a JVM.
jdk_version() {
  local home=$1 line version=
  [ -x "$home/bin/java" ] && [ -x "$home/bin/javac" ] || return 1
  if [ -r "$home/release" ]; then
    while IFS= read -r line; do
      case $line in
        JAVA_VERSION=*)
          version=${line#JAVA_VERSION=}
          version=${version#\"}
          break
          ;;
      esac
    done <"$home/release"
  fi
  if [ -z "$version" ]; then
    line=$("$home/bin/javac" -version 2>&1) || return 1
    version=${line##*javac }
  fi
  version=${version#1.} # Java 8 calls itself 1.8
  version=${version%%[!0-9]*}
  [ -n "$version" ] || return 1
  printf '%s\n' "$version"
}

# jdk_home_of COMMAND: prints the home of the JDK whose java COMMAND is, through any symlinks.
jdk_home_of() {
  local file=$1 target
  while [ -L "$file" ]; do
    target=$(readlink "$file") || return 1
    case $target in
      /*) file=$target ;;
      *) file=$(dirname "$file")/$target ;;
    esac
  done
  (cd -P "$(dirname "$file")/.." 2>/dev/null && pwd)
}

# jdk_places: prints the folders where JDKs are usually installed, one a line.
jdk_places() {
  local root=${WEFT_JDK_ROOT:-} place
  for place in \
    "$root"/usr/lib/jvm/* "$root"/usr/lib64/jvm/* "$root"/usr/java/* "$root"/usr/local/java/* \
    "$root"/opt/*jdk* "$root"/opt/java/* "$root"/opt/jvm/* \
    "$root${HOME:-/nonexistent}"/.sdkman/candidates/java/* "$root${HOME:-/nonexistent}"/.jdks/* \
    "$root${HOME:-/nonexistent}"/.asdf/installs/java/* \
    "$root${HOME:-/nonexistent}"/.local/share/mise/installs/java/* \
    "$root"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$root"/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "$root"/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    [ -d "$place" ] && printf '%s\n' "$place"
  done
  if [ -z "$root" ] && [ -x /usr/libexec/java_home ]; then
    /usr/libexec/java_home -v "$WEFT_JAVA_MINIMUM+" 2>/dev/null
  fi
  return 0
}

# find_jdk: prints the home of a JDK that is new enough: JAVA_HOME's, else the one on the path, else
# the oldest that serves among the usual places, since that is nearest to what Weft is tested with.
# Fails, and says what to install, when there is none.
find_jdk() {
  local home version best='' best_version=0 seen=''
  home=${JAVA_HOME:-}
  if [ -n "$home" ] && version=$(jdk_version "$home"); then
    if [ "$version" -ge "$WEFT_JAVA_MINIMUM" ]; then
      printf '%s\n' "$home"
      return 0
    fi
    seen=" (JAVA_HOME, $home, is Java $version)"
  fi
  if home=$(command -v java) && home=$(jdk_home_of "$home") && version=$(jdk_version "$home"); then
    if [ "$version" -ge "$WEFT_JAVA_MINIMUM" ]; then
      printf '%s\n' "$home"
      return 0
    fi
    [ -n "$seen" ] || seen=" (java on the path is Java $version)"
  fi
  while IFS= read -r home; do
    version=$(jdk_version "$home") || continue
    if [ "$version" -ge "$WEFT_JAVA_MINIMUM" ] &&
      { [ -z "$best" ] || [ "$version" -lt "$best_version" ]; }; then
      best=$home
      best_version=$version
    fi
  done < <(jdk_places) # a here-document would need a place for temporary files
  if [ -n "$best" ]; then
    printf '%s\n' "$best"
    return 0
  fi
  printf 'weft: needs a JDK %s or newer, and none was found%s.\n' "$WEFT_JAVA_MINIMUM" "$seen" >&2
  printf 'weft: install one, for example Eclipse Temurin %s, or set JAVA_HOME to it.\n' \
    "$WEFT_JAVA_MINIMUM" >&2
  return 1
}

# find_maven: prints the command that runs Maven. Fails, and says what to install, when there is none.
find_maven() {
  if ! command -v mvn; then
    printf 'weft: needs Maven (mvn on the path) to build itself; install the package "maven".\n' >&2
    return 1
  fi
}
