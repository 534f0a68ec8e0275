/* else beside a receive: taken if the message is not there now. SPIN calls this dubious but obeys; rendezvous it refuses.
 * expect: holds
 * spin: 16 19
 */
chan q = [1] of { byte };
bool came, missed;

active proctype Sender() { q ! 1 }

active proctype Receiver() {
  if
  :: q ? 1 -> came = true
  :: else -> missed = true
  fi;
  assert(came != missed)
}
