/* Which channel P copies from is decided on the way. An empty one must not be taken for the one it will be.
 * Why: with static relations, a copying receive elsewhere was thought to wait for the first channel there is, and T's receive
 *      alone was called persistent.
 * expect: violated
 */
chan one = [1] of { byte };
chan two = [1] of { byte };

active proctype P() {
  chan c;
  byte x;
  if
  :: c = two
  :: c = one
  fi;
  c?<x>;
  assert(false)
}

active proctype T() {
  byte v;
  two!2;
  two?v
}
