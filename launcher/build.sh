# shellcheck shell=bash
# Builds what is missing or out of date. Sourced by ./weft after jdk.sh and lock.sh; expects WEFT_HOME.

WEFT_APP="$WEFT_HOME/weft-app/target"
WEFT_STAMP="$WEFT_APP/launcher.stamp"
WEFT_AOT="$WEFT_APP/weft.aot"

# What a machine has that has a driver of NVIDIA.
WEFT_GPU=/dev/nvidiactl

# What is run once for a faster start: the built-in model.
WEFT_REHEARSAL=(run -p 'Once upon a time' --max-tokens 32)

# The weights are mapped, not on the heap: a small heap that gives back what it does not need. One method of the JDK would
# triple the memory of the first compiler, and takes the second most of a second beside steps of a server: it is interpreted.
# The same flags for the training run and for every other: the JVM rejects a cache of others.
WEFT_JVM_FLAGS=(
  -XX:+UseSerialGC -Xms16m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30 -XX:-UsePerfData
  --enable-native-access=ALL-UNNAMED
  -XX:CompileCommand=quiet
  -XX:CompileCommand=exclude,jdk.internal.classfile.impl.StackMapGenerator::processBlock
)

# For a process whose work emitted code does: Java stays small beside it. One compiler;
# little room for what is new; reflection without generated classes.
WEFT_SMALL_FLAGS=(
  -XX:TieredStopAtLevel=1 -XX:NewSize=2m -XX:StringTableSize=4096 -Djdk.reflect.useNativeAccessorOnly=true
)

# Where a GPU does the work, cores have nothing but Java to do, and it is what a token waits for: it is compiled sooner.
WEFT_GPU_FLAGS=(-XX:CompileThresholdScaling=0.3)

# For a server: its emitted code wants every core, and a step is as slow as the slowest of them. So the JVM compiles
# when nobody needs a core, and little: its second compiler would take seconds of one in the first minutes, which those who
# follow a reply see as gaps. Priorities count only by a policy of which the JVM warns whoever is not root.
WEFT_SERVER_FLAGS=(-XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=10)
[ "$EUID" = 0 ] || WEFT_SERVER_FLAGS+=(-XX:-PrintWarnings)

# needs_vectors ARGUMENTS: whether the portable kernels will serve: they are asked for, or Weft's own
# machine code cannot run here. They need the JDK's vector module, of which the JVM warns at each start.
needs_vectors() {
  local argument
  for argument in "$@"; do
    case $argument in portable | --isa=portable) return 0 ;; esac
  done
  ! grep -qsw avx2 /proc/cpuinfo
}

# computes_in_java ARGUMENTS: whether Java itself will do heavy work: the reference backend, the portable kernels, a
# command without a model's program, or many tokens of a GPU, which waits for Java between two of
# them. Only then is the JVM's second compiler worth its threads and its memory: while emitted code runs on the CPU it takes a core from it, and a
# first token comes a quarter of a second later.
computes_in_java() {
  local argument
  case ${1-} in
    synth | tokenize | constrain) return 0 ;;
    bench | chat | serve) uses_gpu "$@" && return 0 ;;
  esac
  for argument in "$@"; do
    case $argument in reference | --backend=reference) return 0 ;; esac
  done
  needs_vectors "$@"
}

# uses_gpu ARGUMENTS: whether a GPU will do the work: it is asked for, or here and nothing else is asked for.
uses_gpu() {
  local argument
  for argument in "$@"; do
    case $argument in
      cuda | --backend=cuda) return 0 ;;
      cpu | reference | --backend=*) return 1 ;;
    esac
  done
  [ -e "$WEFT_GPU" ]
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
  local maven status=0
  maven=$(find_maven) || return 1
  take_lock || return 1
  # What ends this process lets the lock go, and ends Maven first.
  WEFT_MAVEN=
  trap 'end_build 1' HUP
  trap 'end_build 2' INT
  trap 'end_build 15' TERM
  is_built || run_maven "$1" "$maven" || status=1 # unless the one we waited for did
  let_go
  trap - HUP INT TERM
  return $status
}

# end_build SIGNAL
end_build() {
  trap '' HUP INT TERM
  if [ -n "$WEFT_MAVEN" ]; then
    kill "$WEFT_MAVEN" 2>/dev/null
    wait "$WEFT_MAVEN" 2>/dev/null
  fi
  let_go
  exit $((128 + $1))
}

# run_maven JDK MAVEN
run_maven() {
  local started=$SECONDS marker="$WEFT_LOCK/started" log="$WEFT_LOCK/log"
  # What is edited while Maven runs must be newer than the stamp.
  if ! { : >"$marker" && : >"$log"; } 2>/dev/null; then
    cannot_write 'not even a log fits on its disk; there is no space left'
    return 1
  fi
  say 'building (once, and again when a source changes) ...'
  rm -rf "$WEFT_STAMP" "$WEFT_AOT" "$WEFT_AOT".?????? 2>/dev/null
  (cd "$WEFT_HOME" && JAVA_HOME=$1 exec "$2" -B -q -Dmaven.test.skip=true -pl weft-app -am package) \
    </dev/null >"$log" 2>&1 &
  WEFT_MAVEN=$!
  # Maven may outlive a launcher that is killed.
  printf '%s %s\n' "$WEFT_MAVEN" "${HOSTNAME:-}" >>"$WEFT_LOCK/pid"
  if wait "$WEFT_MAVEN"; then
    if ! touch -r "$marker" "$WEFT_STAMP" 2>/dev/null; then
      cannot_write 'the build is done, but that cannot be noted; there may be no space left'
      return 1
    fi
    say "built in $((SECONDS - started)) s"
    return 0
  fi
  cat "$log" >&2
  if grep -qs 'No space left on device' "$log"; then
    say "the build failed: the disk of $WEFT_HOME is full; make room and try again."
  else
    say 'the build failed; Maven says why above.'
  fi
  return 1
}

# is_trained FILE: whether there is a cache that is newer than the jars. The JVM would reject an older
# one, and then start slower than without any.
is_trained() {
  [ -f "$1" ] && [ -r "$1" ] || return 1
  local newer
  newer=$(find "$WEFT_APP/weft-app.jar" "$WEFT_APP/lib" -newer "$1" 2>/dev/null | head -n 1)
  [ -z "$newer" ]
}

# own_cache: prints the cache of a user who may not write beside the jars. The JVM trusts what it finds
# there, so that its folder must be this user's alone. Fails where there is no such folder.
own_cache() {
  local folder=${XDG_CACHE_HOME:-${HOME:-}/.cache} sum
  case $folder in /.cache | [!/]*) return 1 ;; esac
  folder=$folder/weft/start
  mkdir -p -m 700 "$folder" 2>/dev/null
  [ -d "$folder" ] && [ ! -L "$folder" ] && [ -O "$folder" ] || return 1
  case $(ls -ld "$folder") in drwx------*) ;; *) return 1 ;; esac
  sum=$(printf '%s' "$WEFT_HOME" | cksum) || return 1
  printf '%s/%s.aot\n' "$folder" "${sum%% *}"
}

# prepare_start JDK: points WEFT_AOT to a cache of the JVM's start, which is trained where there is none;
# where none can be kept, Weft runs as well without, only it starts slower.
prepare_start() {
  is_trained "$WEFT_AOT" && return 0
  train "$1" && return 0
  WEFT_AOT=$(own_cache) || return 0
  is_trained "$WEFT_AOT" || train "$1"
}

# train JDK: runs a model once, so that the JVM keeps its loaded classes for the next start,
# but not its profiles, which take memory and serve its second compiler alone. An empty cache says that
# it was tried. Fails, before it trains, where the cache could not be kept.
train() {
  # Beside the cache, so that it comes there in one move: another may be reading.
  WEFT_TRAINING=$(mktemp -d "$WEFT_AOT.XXXXXX" 2>/dev/null) || return 1
  trap 'rm -rf "$WEFT_TRAINING"; exit 130' HUP INT TERM
  say 'preparing a faster start ...'
  {
    "$1/bin/java" "${WEFT_JVM_FLAGS[@]}" "${WEFT_SMALL_FLAGS[@]}" \
      -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining \
      -XX:AOTCacheOutput="$WEFT_TRAINING/weft.aot" \
      -jar "$WEFT_APP/weft-app.jar" "${WEFT_REHEARSAL[@]}"
    [ -f "$WEFT_TRAINING/weft.aot" ] || : >"$WEFT_TRAINING/weft.aot"
    mv -f "$WEFT_TRAINING/weft.aot" "$WEFT_AOT"
    rm -rf "$WEFT_TRAINING"
  } >/dev/null 2>&1 </dev/null
  trap - HUP INT TERM
}

# start JDK ARGUMENTS: becomes Weft.
start() {
  local jdk=$1 cache=() terminals='' descriptor
  shift
  if needs_vectors "$@"; then
    WEFT_JVM_FLAGS+=(--add-modules jdk.incubator.vector)
  elif [ -s "$WEFT_AOT" ]; then
    cache=(-XX:AOTCache="$WEFT_AOT" '-Xlog:aot*=off' '-Xlog:cds*=off')
  fi
  [ "${1-}" != serve ] || WEFT_JVM_FLAGS+=("${WEFT_SERVER_FLAGS[@]}")
  if ! computes_in_java "$@"; then
    WEFT_JVM_FLAGS+=("${WEFT_SMALL_FLAGS[@]}")
    ! uses_gpu "$@" || WEFT_JVM_FLAGS+=("${WEFT_GPU_FLAGS[@]}")
  fi
  for descriptor in 0 1 2; do
    [ -t $descriptor ] && terminals=$terminals$descriptor
  done
  exec "$jdk/bin/java" "${WEFT_JVM_FLAGS[@]}" ${cache[@]+"${cache[@]}"} \
    -Dweft.terminals="$terminals" -Dweft.command=./weft \
    -jar "$WEFT_APP/weft-app.jar" "$@"
}
