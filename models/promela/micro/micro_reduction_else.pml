/* `else` beside a handshake asks whether a partner is there: the polite one gives up only if the door is not answered yet.
 * Why: another process's move from one point to another, which touches no variable, decides what `else` may do.
 * expect: violated
 * expect assertion: violated
 */
chan door = [0] of { byte };
bool gave_up, answered;

active proctype Polite() {
  if
  :: door ! 1
  :: else -> gave_up = true
  fi
}

active proctype Host() {
  byte who;
  answered = true;
  if
  :: door ? who -> assert(!gave_up)
  :: gave_up -> assert(false)
  fi
}
