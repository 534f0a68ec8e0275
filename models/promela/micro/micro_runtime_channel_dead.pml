/* Channels die with the process that declared them: a reference that survives points nowhere.
 * SPIN: "bad queue".
 * expect: violated
 * expect runtime: violated
 */
chan mailbox = [1] of { chan };

proctype Short() {
  chan mine = [1] of { byte };
  mailbox ! mine
}

init {
  chan c;
  run Short();
  _nr_pr == 1;
  mailbox ? c;
  c ! 1
}
