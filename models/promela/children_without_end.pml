/* Two processes create others without end, each with a channel of its own.
 * Why: the number of processes reaches its limit while keys are made anew again and again.
 * expect: violated
 * expect runtime: violated
 */
chan request = [1] of { byte };

proctype Child(chan parent) {
  chan own = [1] of { byte };
  request??[1]
}

active [2] proctype Parent() {
  do
  :: run Child(request)
  od
}
