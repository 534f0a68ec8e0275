/* A send to a channel variable that was never given a channel, on one of two ways.
 * SPIN: "ref to uninitialized chan".
 * expect: violated
 * expect runtime: violated
 */
chan real = [1] of { byte };

active proctype P() {
  chan q;
  if
  :: q = real
  :: skip
  fi;
  q ! 1
}
