# shellcheck shell=bash
# What the launcher does where it may not write, where others build and where it is interrupted. Sourced by
# test.sh; each checkout is a copy of the launcher whose Maven and Java write down that they were called.

chmod 755 "$sandbox"
tools=$sandbox/tools
calls=$sandbox/calls
mkdir -p "$tools"
: >"$calls"
chmod 666 "$calls"

cat >"$tools/mvn" <<'MAVEN'
#!/bin/bash
echo built >>"$CALLS"
sleep "${MAVEN_SECONDS:-0}" & # as a JVM that ends when it is told to
trap 'kill $!; exit 143' TERM
wait $!
[ -n "${MAVEN_FAILS:-}" ] && { echo "[ERROR] $MAVEN_FAILS"; exit 1; }
mkdir -p weft-app/target/lib && : >weft-app/target/weft-app.jar
echo finished >>"$CALLS"
MAVEN
fake_jdk "$sandbox/jdk" 25.0.1
cat >"$sandbox/jdk/bin/java" <<'JAVA'
#!/bin/bash
for argument; do
  case $argument in
    -XX:AOTCacheOutput=*)
      echo trained >>"$CALLS"
      echo cache >"${argument#*=}"
      exit ;;
    -XX:AOTCache=*) cached=', quickly' ;;
  esac
done
echo "ran${cached:-}"
JAVA
chmod +x "$tools/mvn" "$sandbox/jdk/bin/java"

# checkout NAME: a new one that is not built, and a clean slate.
checkout() {
  mkdir -p "$sandbox/$1/weft-app/src/main"
  cp "$WEFT_HOME/weft" "$sandbox/$1/"
  cp -R "$here" "$sandbox/$1/launcher"
  : >"$sandbox/$1/pom.xml"
  : >"$sandbox/$1/weft-app/pom.xml"
  : >"$calls"
  printf '%s\n' "$sandbox/$1"
}

# weft CHECKOUT VARIABLES: runs it as a machine that has nothing else; says what it printed and its status.
weft() {
  local at=$1
  shift
  ${as_other[@]+"${as_other[@]}"} env -i PATH="$tools:/usr/bin:/bin" JAVA_HOME="$sandbox/jdk" CALLS="$calls" \
    WEFT_PATIENCE=20 "$@" bash "$at/weft" 2>&1
  printf 'status %s\n' $?
}

# called WORD: how often.
called() {
  grep -c "$1" "$calls"
}

# expect_like NAME PATTERN GOT
expect_like() {
  # shellcheck disable=SC2254 # a pattern is meant
  case $3 in
    $2) expect "$1" yes yes ;;
    *) expect "$1" "$2" "$3" ;;
  esac
}

as_other=()
place=$(checkout plain)
expect_like 'builds, prepares the start and runs' '*building*built in*preparing*ran, quickly*status 0' "$(weft "$place")"
expect 'just runs what is built' "$(printf 'ran, quickly\nstatus 0')" "$(weft "$place")"
expect 'builds once, trains once' '1 1' "$(called built) $(called trained)"
expect 'leaves no lock' no "$([ -e "$place/.weft-building" ] && echo yes || echo no)"

place=$(checkout failing)
expect_like 'shows what Maven says' '*[[]ERROR] nothing compiles*the build failed*status 1' \
  "$(weft "$place" MAVEN_FAILS='nothing compiles')"
expect_like 'says that the disk is full' '*the disk of * is full; make room*status 1' \
  "$(weft "$place" MAVEN_FAILS='No space left on device')"
expect 'leaves no lock behind a failure' no "$([ -e "$place/.weft-building" ] && echo yes || echo no)"

# Locks of others.
place=$(checkout abandoned)
mkdir "$place/.weft-building"
expect_like 'takes a lock that nobody wrote a name into' '*built in*ran*status 0' "$(weft "$place")"
place=$(checkout killed)
mkdir "$place/.weft-building"
(exit) &
dead=$!
wait $dead
echo $dead >"$place/.weft-building/pid"
expect_like 'takes over from a build that was killed' '*built in*ran*status 0' "$(weft "$place")"
place=$(checkout cut)
mkdir "$place/.weft-building"
: >"$place/.weft-building/pid"
expect_like 'takes over from a build that was killed before its name was whole' '*built in*ran*status 0' \
  "$(weft "$place")"
place=$(checkout held)
mkdir "$place/.weft-building"
echo $$ >"$place/.weft-building/pid"
expect_like 'waits for a living build, says so, and not for ever' \
  "*waiting for process $$*process $$ holds *.weft-building for more than 1 s*status 1" \
  "$(weft "$place" WEFT_PATIENCE=1)"
echo "1 another-machine" >"$place/.weft-building/pid"
expect_like 'takes a build on another machine for a living one' '*waiting for process 1*status 1' \
  "$(weft "$place" WEFT_PATIENCE=1)"
expect 'builds nothing meanwhile' 0 "$(called built)"

place=$(checkout crowded)
for i in 1 2 3 4; do weft "$place" MAVEN_SECONDS=1 >"$sandbox/crowd$i" & done
wait
expect 'builds once for four who ask' '1 4' "$(called built) $(cat "$sandbox"/crowd? | grep -c 'status 0')"

# interrupted SIGNAL: what is left when a build gets it.
interrupted() {
  local at child tries=0
  at=$(checkout "interrupted-$1")
  env -i PATH="$tools:/usr/bin:/bin" JAVA_HOME="$sandbox/jdk" CALLS="$calls" MAVEN_SECONDS=20 \
    bash "$at/weft" >/dev/null 2>&1 &
  child=$!
  until [ "$(called built)" = 1 ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
  kill -s "$1" $child
  wait $child
  printf 'status %s, lock %s, finished %s' $? "$([ -e "$at/.weft-building" ] && echo left || echo gone)" \
    "$(called finished)"
}
expect 'ends with Maven and without a lock when told to' 'status 143, lock gone, finished 0' \
  "$(interrupted TERM 2>/dev/null)"
# Who ignores the signal, as all below nohup do, cannot hear it.
case $(trap -p HUP) in
"trap -- '' "*) printf 'skip  ends so when its terminal goes: SIGHUP is ignored here\n' ;;
*) expect 'ends so when its terminal goes' 'status 129, lock gone, finished 0' "$(interrupted HUP 2>/dev/null)" ;;
esac

# A disk that is full: nothing can be made, or nothing written into what was.
full() {
  WEFT_HOME=$sandbox/full
  WEFT_LOCK=$WEFT_HOME/.weft-building
  take_lock 2>&1
}
mkdir -p "$sandbox/full/.weft-building"
expect_like 'says that there is no room for a lock' '*cannot be written: No space left on device.*make room*' "$(
  mkdir() {
    echo 'mkdir: cannot create directory: No space left on device' >&2
    return 1
  }
  rmdir "$sandbox/full/.weft-building"
  full
)"
if [ -e /dev/full ]; then
  mkdir -p "$sandbox/full/.weft-building"
  ln -s /dev/full "$sandbox/full/.weft-building/pid"
  expect_like 'says that there is no room for a name' '*cannot be written: No space left on device.*' "$(full)"
fi

# Users who may not write. Root may, always, so that somebody else has to be found.
if [ "$(id -u)" -ne 0 ]; then
  as_other=()
elif command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
  as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
  printf 'skip  checkouts that may not be written: this is root, and setpriv is not here\n'
  return 0
fi
place=$(checkout guarded)
weft_as_root() { (as_other=() && weft "$@"); }
chmod -R a-w "$place"
expect_like 'says that it cannot build where it may not write' \
  'weft: has to be built first, and * cannot be written: Permission denied.*copy it to a folder of your own.*status 1' \
  "$(weft "$place")"
chmod -R u+w "$place"
weft_as_root "$place" >/dev/null
rm "$place/weft-app/target/weft.aot"
chmod -R a-w "$place"
: >"$calls"
expect 'runs from where it may not write, without a home' "$(printf 'ran\nstatus 0')" "$(weft "$place")"
expect 'runs so with a home that may not be written' "$(printf 'ran\nstatus 0')" "$(weft "$place" HOME="$place")"
expect 'runs so without a place for temporary files' "$(printf 'ran\nstatus 0')" \
  "$(weft "$place" TMPDIR="$place")"
expect 'trains nothing that it cannot keep' 0 "$(called trained)"
home=$sandbox/home
mkdir -m 777 "$home"
expect_like 'keeps the start for a user who may not write' '*preparing*ran, quickly*status 0' "$(weft "$place" HOME="$home")"
expect 'keeps it' "$(printf 'ran, quickly\nstatus 0')" "$(weft "$place" HOME="$home")"
expect 'trains once for a user' 1 "$(called trained)"
# shellcheck disable=SC2012 # the mode is what is wanted
expect 'keeps it from others' drwx------ "$(ls -ld "$home/.cache/weft/start" | cut -c 1-10)"
${as_other[@]+"${as_other[@]}"} chmod 755 "$home/.cache/weft/start"
expect 'does not trust what others could have put there' "$(printf 'ran\nstatus 0')" "$(weft "$place" HOME="$home")"
chmod -R u+w "$place"
