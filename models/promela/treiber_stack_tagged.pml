/* The lock-free stack of treiber_stack_aba.pml with a tag beside the top that counts its changes.
 * R. K. Treiber, 1986; the tag as in the double-word compare-and-swap of the IBM System/370.
 * Why: the cure; the same three nodes, the same recycler.
 * expect: holds
 * spin: 168 272
 */
#define NODES 3
#define NIL 255
byte top = 0, tag;
byte next[NODES];
bool taken[NODES];

init {
  next[0] = 1;
  next[1] = 2;
  next[2] = NIL;
  atomic { run Popper(); run Recycler() }
}

proctype Popper() {
  byte t, g, n;
  do
  :: d_step { t = top; g = tag };
     if
     :: t == NIL -> goto done
     :: else
     fi;
     n = next[t];
     if
     :: atomic { top == t && tag == g -> top = n; tag++; assert(!taken[t]); taken[t] = true } -> break
     :: atomic { top != t || tag != g -> skip }
     fi
  od;
done:
  assert(top == NIL || !taken[top])
}

proctype Recycler() {
  byte a = NIL, b = NIL;
  if
  :: atomic { top != NIL -> a = top; top = next[a]; tag++; assert(!taken[a]); taken[a] = true }
  :: atomic { top == NIL -> goto done }
  fi;
  if
  :: atomic { top != NIL -> b = top; top = next[b]; tag++; assert(!taken[b]); taken[b] = true }
  :: atomic { top == NIL -> skip }
  fi;
  atomic { next[a] = top; top = a; tag++; taken[a] = false };
done:
  skip
}
