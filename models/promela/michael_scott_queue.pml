/* The lock-free queue of Michael and Scott: two enqueuers and a dequeuer; the tail may lag behind and is helped along.
 * M. Michael and M. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996.
 * Why: compare-and-swap on linked nodes; nodes are never reused here, so no tags. Values come out once each.
 * expect: holds
 * spin: 2214 5319
 */
#define NIL 255
#define NODES 3
byte next[NODES] = NIL;
byte head, tail;                       /* node 0 is the dummy */
byte taken[NODES];

active [2] proctype Enqueuer() {
  byte mine = _pid + 1;
  byte t, n;
  do
  :: t = tail;
     n = next[t];
     if
     :: n == NIL ->
        if
        :: atomic { next[t] == NIL -> next[t] = mine }; break
        :: next[t] != NIL
        fi
     :: else ->
        if
        :: atomic { tail == t -> tail = n }
        :: tail != t
        fi
     fi
  od;
  if
  :: atomic { tail == t -> tail = mine }
  :: tail != t
  fi
}

active proctype Dequeuer() {
  byte h, t, n, got;
  do
  :: got < 2 ->
     h = head;
     t = tail;
     n = next[h];
     if
     :: h == t && n != NIL ->
        if
        :: atomic { tail == t -> tail = n }
        :: tail != t
        fi
     :: h == t && n == NIL
     :: h != t ->
        head = n;
        taken[n]++;
        assert(n != NIL && taken[n] == 1);
        got++
     fi
  :: got == 2 -> break
  od
}
