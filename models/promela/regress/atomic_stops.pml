/* An atomic sequence that stops at a receive in its middle, unless a process has sent before.
 * Why: whether the send comes first makes a difference, although the receive itself is impossible before it; a reduction must see that.
 * expect assertion: violated
 */
byte x;
chan q = [1] of { byte };

active proctype A() { atomic { x = 1; q?_; x = 2 } }
active proctype B() { q!1 }
active proctype C() { x == 1; assert(false) }
