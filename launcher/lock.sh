# shellcheck shell=bash
# One build at a time. Sourced by ./weft before build.sh; expects WEFT_HOME.

WEFT_LOCK="$WEFT_HOME/.weft-building"

# How many seconds another's build is waited for.
WEFT_PATIENCE=${WEFT_PATIENCE:-600}

# say SENTENCE: what the launcher has to tell, apart from what Weft prints.
say() {
  printf 'weft: %s\n' "$*" >&2
}

# cannot_write REASON: says why a build that is due cannot be, and what to do.
cannot_write() {
  say "has to be built first, and $WEFT_HOME cannot be written: $1."
  case $1 in
    *space*) say 'make room on that disk and try again.' ;;
    *) say 'run it once as a user who may write there, or copy it to a folder of your own.' ;;
  esac
}

# lives PID HOST: whether that process may still be at work. One of another user does too, and one of
# another machine or container cannot be seen from here.
lives() {
  case $1 in '' | 0 | *[!0-9]*) return 1 ;; esac
  [ -z "$2" ] || [ "$2" = "${HOSTNAME:-}" ] || return 0
  case $(cat "/proc/$1/stat" 2>/dev/null) in *') Z '*) return 1 ;; esac # killed, and not yet buried
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ] || ps -p "$1" >/dev/null 2>&1
}

# lock_holder: prints the process that builds; fails where all that are written down are gone.
lock_holder() {
  local pid host
  [ -r "$WEFT_LOCK/pid" ] || return 1
  while read -r pid host || [ -n "$pid" ]; do
    if lives "$pid" "$host"; then
      printf '%s\n' "$pid"
      return 0
    fi
  done <"$WEFT_LOCK/pid" 2>/dev/null
  return 1
}

# seize_lock: removes the name of a build that was killed; of several who see it, one at a time does.
# Fails where it may not be removed.
seize_lock() {
  local problem
  if problem=$(LC_ALL=C mkdir "$WEFT_LOCK/seizing" 2>&1); then
    lock_holder >/dev/null || rm -f "$WEFT_LOCK/pid" 2>/dev/null
    rmdir "$WEFT_LOCK/seizing"
    return 0
  fi
  case $problem in
    *'File exists'*) # another is at it, or was killed at it
      if [ -n "$(find "$WEFT_LOCK/seizing" -prune -mmin +1 2>/dev/null)" ]; then
        rmdir "$WEFT_LOCK/seizing" 2>/dev/null
      fi
      ;;
    *'No such file'*) ;; # it was let go
    *) return 1 ;;
  esac
}

# take_lock: waits for the lock and takes it; fails with a sentence where it cannot be had. The lock is
# the file "pid", for whoever creates a file knows that nobody else did; its folder keeps the log too.
take_lock() {
  local waited=0 problem holder
  while :; do
    if ! problem=$(LC_ALL=C mkdir "$WEFT_LOCK" 2>&1); then
      case $problem in
        *'File exists'*) ;; # and may be gone by now
        *)
          cannot_write "${problem##*: }"
          return 1
          ;;
      esac
    fi
    problem=$(
      LC_ALL=C
      set -o noclobber
      { printf '%s %s\n' $$ "${HOSTNAME:-}" >"$WEFT_LOCK/pid"; } 2>&1
    ) && return 0
    case $problem in
      *'existing file'* | *'File exists'*) ;;
      *'No such file'*) continue ;; # let go just now
      *)
        case $problem in *'write error'*) rm -f "$WEFT_LOCK/pid" ;; esac
        rmdir "$WEFT_LOCK" 2>/dev/null
        cannot_write "${problem##*: }"
        return 1
        ;;
    esac
    if holder=$(lock_holder); then
      if [ "$waited" -ge "$WEFT_PATIENCE" ]; then
        say "process $holder holds $WEFT_LOCK for more than $WEFT_PATIENCE s;" \
          'end it, or remove that folder if it is no build of weft.'
        return 1
      fi
      [ "$waited" -gt 0 ] || say "waiting for process $holder, which is building ..."
    elif [ -s "$WEFT_LOCK/pid" ] || [ "$waited" -ge 2 ]; then # it may be about to write its name
      if seize_lock; then
        [ -e "$WEFT_LOCK/pid" ] || continue
      else
        say "a build was killed and left $WEFT_LOCK, which cannot be removed; remove it."
        return 1
      fi
    fi
    if [ "$waited" -gt "$WEFT_PATIENCE" ]; then
      say "$WEFT_LOCK is in nobody's hands and cannot be taken; remove it."
      return 1
    fi
    sleep 1
    waited=$((waited + 1))
  done
}

# let_go: gives the lock back.
let_go() {
  rm -f "$WEFT_LOCK/log" "$WEFT_LOCK/started" "$WEFT_LOCK/pid"
  rmdir "$WEFT_LOCK" 2>/dev/null # unless the next one has it
  return 0
}
