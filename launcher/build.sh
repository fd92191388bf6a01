# shellcheck shell=bash
# Builds what is missing or out of date. Sourced by ./weft after jdk.sh; expects WEFT_HOME.

WEFT_APP="$WEFT_HOME/weft-app/target"
WEFT_STAMP="$WEFT_APP/launcher.stamp"
WEFT_AOT="$WEFT_APP/weft.aot"
WEFT_LOCK="$WEFT_HOME/.weft-building"

# The weights are mapped, not on the heap: a small heap that gives back what it does not need.
# The same flags for the training run and for every other: the JVM rejects a cache of others.
WEFT_JVM_FLAGS=(
  -XX:+UseSerialGC -Xms16m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30 -XX:-UsePerfData
  --enable-native-access=ALL-UNNAMED
)

# For a process whose work emitted code does: Java stays small beside it. One compiler, whose memory the
# one excluded method would triple; little room for what is new; reflection without generated classes.
WEFT_SMALL_FLAGS=(
  -XX:TieredStopAtLevel=1 -XX:NewSize=2m -XX:StringTableSize=4096 -Djdk.reflect.useNativeAccessorOnly=true
  -XX:CompileCommand=quiet
  -XX:CompileCommand=exclude,jdk.internal.classfile.impl.StackMapGenerator::processBlock
)

# needs_vectors ARGUMENTS: whether the portable kernels will serve: they are asked for, or Weft's own
# machine code cannot run here. They need the JDK's vector module, of which the JVM warns at each start.
needs_vectors() {
  local argument
  for argument in "$@"; do
    case $argument in portable | --isa=portable) return 0 ;; esac
  done
  ! grep -qsw avx2 /proc/cpuinfo
}

# computes_in_java ARGUMENTS: whether Java itself will do the heavy work: the reference backend, the
# portable kernels, or a command without a model's program. Only then is the JVM's second compiler worth
# its threads and its memory; while emitted code runs it takes a core from it.
computes_in_java() {
  local argument
  case ${1-} in synth | tokenize) return 0 ;; esac
  for argument in "$@"; do
    case $argument in reference | --backend=reference) return 0 ;; esac
  done
  needs_vectors "$@"
}

# is_built: whether the jars are newer than every source. A folder counts too, so that a source that
# was deleted or renamed is noticed.
is_built() {
  [ -f "$WEFT_STAMP" ] || return 1
  local newer
  newer=$(find "$WEFT_HOME"/pom.xml "$WEFT_HOME"/weft-*/pom.xml "$WEFT_HOME"/weft-*/src/main \
    -newer "$WEFT_STAMP" 2>/dev/null | head -n 1)
  [ -z "$newer" ]
}

# build JDK: runs Maven, one build at a time, and says so.
build() {
  local maven holder
  maven=$(find_maven) || return 1
  until mkdir "$WEFT_LOCK" 2>/dev/null; do
    holder=$(cat "$WEFT_LOCK/pid" 2>/dev/null)
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      rm -rf "$WEFT_LOCK" # its build was killed
      continue
    fi
    sleep 1
  done
  printf '%s\n' $$ >"$WEFT_LOCK/pid"
  if is_built; then # by the one we waited for
    rm -rf "$WEFT_LOCK"
    return 0
  fi
  printf 'weft: building (once, and again when a source changes) ...\n' >&2
  local started=$SECONDS marker="$WEFT_LOCK/started" status=0
  # What is edited while Maven runs must be newer than the stamp.
  : >"$marker"
  rm -f "$WEFT_STAMP" "$WEFT_AOT"
  (cd "$WEFT_HOME" && JAVA_HOME=$1 "$maven" -B -q -Dmaven.test.skip=true -pl weft-app -am package) \
    >"$WEFT_LOCK/log" 2>&1 || { status=1; cat "$WEFT_LOCK/log" >&2; }
  if [ $status -eq 0 ]; then
    touch -r "$marker" "$WEFT_STAMP"
    printf 'weft: built in %s s\n' $((SECONDS - started)) >&2
  else
    printf 'weft: the build failed; Maven says why above.\n' >&2
  fi
  rm -rf "$WEFT_LOCK"
  return $status
}

# is_trained: whether there is a cache that is newer than the jars. The JVM would reject an older one,
# and then start slower than without any.
is_trained() {
  [ -f "$WEFT_AOT" ] || return 1
  local newer
  newer=$(find "$WEFT_APP/weft-app.jar" "$WEFT_APP/lib" -newer "$WEFT_AOT" 2>/dev/null | head -n 1)
  [ -z "$newer" ]
}

# train JDK: runs the built-in model once, so that the JVM keeps its loaded classes for the next start,
# but not its profiles, which take memory and serve its second compiler alone. Weft runs as well
# without, only it starts slower; an empty cache says that it was tried.
train() {
  printf 'weft: preparing a faster start ...\n' >&2
  local folder
  folder=$(mktemp -d) || return 0
  {
    "$1/bin/java" "${WEFT_JVM_FLAGS[@]}" "${WEFT_SMALL_FLAGS[@]}" \
      -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining -XX:AOTCacheOutput="$folder/weft.aot" \
      -jar "$WEFT_APP/weft-app.jar" run -p 'Once upon a time' --max-tokens 32
  } >/dev/null 2>&1 </dev/null
  [ -f "$folder/weft.aot" ] || : >"$folder/weft.aot"
  mv "$folder/weft.aot" "$WEFT_AOT"
  rm -rf "$folder"
}
