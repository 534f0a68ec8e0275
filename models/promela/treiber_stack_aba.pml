/* A lock-free stack with a free list that gives nodes back at once: compare-and-swap is fooled by A-B-A.
 * R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986; the ABA problem: IBM System/370 manuals.
 * Why: a tiny heap; a node is on the stack and in someone's hands at the same time.
 * expect: violated
 * expect assertion: violated
 * spin: 128 194
 */
#define NODES 3
#define NIL 255
byte top = 0;
byte next[NODES];
bool taken[NODES];

init {
  next[0] = 1;
  next[1] = 2;
  next[2] = NIL;
  atomic { run Popper(); run Recycler() }
}

proctype Popper() {
  byte t, n;
  do
  :: t = top;
     if
     :: t == NIL -> goto done
     :: else
     fi;
     n = next[t];
     if
     :: atomic { top == t -> top = n; assert(!taken[t]); taken[t] = true } -> break
     :: atomic { top != t -> skip }
     fi
  od;
done:
  assert(top == NIL || !taken[top])
}

proctype Recycler() {          /* pops two nodes and pushes the first one back */
  byte a, b;
  atomic { top != NIL -> a = top; top = next[a]; assert(!taken[a]); taken[a] = true };
  atomic { top != NIL -> b = top; top = next[b]; assert(!taken[b]); taken[b] = true };
  atomic { next[a] = top; top = a; taken[a] = false }
}
