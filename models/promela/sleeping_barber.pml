/* The sleeping barber with a waiting room of limited size.
 * E. W. Dijkstra, "Cooperating sequential processes" (EWD 123), 1965.
 * Why: counting semaphores between unequal partners; customers that find no chair leave.
 * expect: holds
 * spin: 241 546
 */
#define CHAIRS 2
#define CUSTOMERS 3
#define P(s) atomic { s > 0 -> s-- }
#define V(s) s++
byte customers, barbers, mutex = 1;
byte waiting;

active proctype Barber() {
end:
  do
  :: P(customers);
     P(mutex);
     waiting--;
     V(barbers);
     V(mutex)
  od
}

active [CUSTOMERS] proctype Customer() {
  do
  :: P(mutex);
     if
     :: waiting < CHAIRS ->
        waiting++;
        assert(waiting <= CHAIRS);
        V(customers);
        V(mutex);
        P(barbers)
     :: else -> V(mutex)
     fi
  od
}
