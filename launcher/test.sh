#!/usr/bin/env bash
# Tests the launcher: its JDK finder with folders that look like JDKs, what it reads in arguments, and its
# builds in checkouts whose Maven and Java only say that they were called.
set -u

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=jdk.sh
. "$here/jdk.sh"
WEFT_HOME=$(dirname "$here")
# shellcheck source=lock.sh
. "$here/lock.sh"
# shellcheck source=build.sh
. "$here/build.sh"
# shellcheck source=skipped.sh
. "$here/skipped.sh"

sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT
failures=0

# fake_jdk FOLDER VERSION: a folder that says it is a JDK.
fake_jdk() {
  mkdir -p "$1/bin"
  printf '#!/bin/sh\necho "javac %s"\n' "$2" >"$1/bin/javac"
  cp "$1/bin/javac" "$1/bin/java"
  chmod +x "$1/bin/java" "$1/bin/javac"
  printf 'IMPLEMENTOR="Nobody"\nJAVA_VERSION="%s"\n' "$2" >"$1/release"
}

# expect NAME WANTED GOT
expect() {
  if [ "$2" = "$3" ]; then
    printf 'ok    %s\n' "$1"
  else
    printf 'FAIL  %s: wanted "%s", got "%s"\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}

# find_in ROOT JAVA_HOME PATH: find_jdk as a machine with only these would run it.
find_in() {
  (
    HOME=/home/nobody
    WEFT_JDK_ROOT=$1
    JAVA_HOME=$2
    PATH=$3:/usr/bin:/bin
    find_jdk
  )
}

fake_jdk "$sandbox/new" 25.0.1
fake_jdk "$sandbox/newer" 26
fake_jdk "$sandbox/old" 17.0.9
fake_jdk "$sandbox/ancient" 1.8.0_392
fake_jdk "$sandbox/silent" 25
rm "$sandbox/silent/release"

expect 'reads a version from the release file' 25 "$(jdk_version "$sandbox/new")"
expect 'reads the version of Java 8' 8 "$(jdk_version "$sandbox/ancient")"
expect 'asks javac where there is no release file' 25 "$(jdk_version "$sandbox/silent")"
expect 'does not take a folder without javac' '' "$(jdk_version "$sandbox")"

# A machine whose path has an old Java, as many have.
mkdir -p "$sandbox/path-old" "$sandbox/path-new" "$sandbox/empty"
ln -s ../old/bin/java "$sandbox/path-old/java"
ln -s ../new/bin/java "$sandbox/path-new/java"
expect 'finds the home of a java through symlinks' "$(cd -P "$sandbox/new" && pwd)" \
  "$(jdk_home_of "$sandbox/path-new/java")"

machine=$sandbox/machine
fake_jdk "$machine/usr/lib/jvm/java-17" 17.0.9
fake_jdk "$machine/usr/lib/jvm/temurin-26" 26.0.1
fake_jdk "$machine/home/nobody/.sdkman/candidates/java/25-tem" 25.0.2

expect 'takes JAVA_HOME when it is new enough' "$sandbox/newer" \
  "$(find_in "$machine" "$sandbox/newer" "$sandbox/path-new")"
expect 'takes the path when JAVA_HOME is old' "$(cd -P "$sandbox/new" && pwd)" \
  "$(find_in "$machine" "$sandbox/old" "$sandbox/path-new")"
expect 'takes the oldest that serves from the usual places' \
  "$machine/home/nobody/.sdkman/candidates/java/25-tem" \
  "$(find_in "$machine" '' "$sandbox/path-old")"
expect 'does not trust a JAVA_HOME that is not there' \
  "$machine/home/nobody/.sdkman/candidates/java/25-tem" \
  "$(find_in "$machine" /no/such/folder "$sandbox/path-old")"

message=$(find_in "$sandbox/empty" "$sandbox/old" "$sandbox/path-old" 2>&1)
expect 'fails where no JDK is new enough' 1 \
  "$(find_in "$sandbox/empty" '' "$sandbox/path-old" >/dev/null 2>&1; echo $?)"
case $message in
  *'needs a JDK 25 or newer'*'is Java 17'*Temurin*) expect 'says what to install' yes yes ;;
  *) expect 'says what to install' 'a sentence' "$message" ;;
esac

message=$(PATH=$sandbox/empty find_maven 2>&1)
case $message in
  *'needs Maven'*) expect 'says when Maven is missing' yes yes ;;
  *) expect 'says when Maven is missing' 'a sentence' "$message" ;;
esac

# java_for ARGUMENTS: who does the work on a machine that has AVX2.
java_for() {
  (
    grep() { return 0; }
    computes_in_java "$@" && echo java || echo emitted
  )
}

expect 'leaves replies to emitted code' emitted "$(java_for run model.gguf hello)"
expect 'sees that the reference computes in Java' java "$(java_for run --backend reference model.gguf)"
expect 'sees it behind an equals sign' java "$(java_for logits --backend=reference model.gguf)"
expect 'sees that portable kernels do' java "$(java_for bench --isa=portable)"
expect 'sees that synth does' java "$(java_for synth out.gguf)"
expect 'takes no arguments' emitted "$(java_for)"

# worker_for DEVICE ARGUMENTS: who does the work on a machine that has such a device, or none.
worker_for() {
  (
    WEFT_GPU=$1
    shift
    uses_gpu "$@" && echo GPU || echo CPU
  )
}

expect 'sees that a GPU is asked for' GPU "$(worker_for /none run --backend cuda model.gguf)"
expect 'takes the GPU that is here' GPU "$(worker_for /dev/null bench model.gguf)"
expect 'leaves it where another is asked for' CPU "$(worker_for /dev/null bench --backend=cpu model.gguf)"
expect 'sees that there is none' CPU "$(worker_for /none run model.gguf)"

# report NAME LINES: a report of Surefire in a module's folder.
report() {
  mkdir -p "$sandbox/reports/module/target/surefire-reports"
  printf '<testcase name="a">\n%s\n</testcase>\n' "$2" >"$sandbox/reports/module/target/surefire-reports/TEST-$1.xml"
}

touch -d '1 hour ago' "$sandbox/begun"
report None ''
expect 'says that no test was skipped' 'no test was skipped' "$(say_skipped "$sandbox/reports" "$sandbox/begun")"
aborted='<skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: SKIPPED: no &quot;x&quot;'
report One "$aborted"
report Two "$aborted"
report Three '<skipped message="only on some"/>'
expect 'counts skipped tests by their reasons' 'tests skipped: 3
     2  no "x"
     1  only on some' "$(say_skipped "$sandbox/reports" "$sandbox/begun")"
touch "$sandbox/late"
touch -d '2 hours ago' "$sandbox"/reports/module/target/surefire-reports/*
expect 'leaves reports of other runs aside' 'no test was skipped' "$(say_skipped "$sandbox/reports" "$sandbox/begun")"

# shellcheck source=test-builds.sh
. "$here/test-builds.sh"

if [ "$failures" -gt 0 ]; then
  printf '%s launcher tests failed\n' "$failures"
  exit 1
fi
