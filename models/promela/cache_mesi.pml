/* A snooping cache with the exclusive state (MESI, the Illinois protocol), driven over bus channels with split transactions.
 * M. Papamarcos and J. Patel, "A low-overhead coherence solution for multiprocessors with private cache memories", ISCA 1984.
 * Why: caches are processes that answer snoops while they wait for the bus themselves; a request may be overtaken by a snoop.
 * expect: holds
 * spin: 8419 23438
 */
#define N 2
mtype = { I, S, E, M };
mtype:bus = { read, own, clean, dirty, none };
chan request = [0] of { mtype:bus, byte };
chan grant[N] = [0] of { mtype };
chan snoop[N] = [0] of { mtype:bus };
chan answer = [0] of { mtype:bus };
mtype state[N] = I;

#define writers (((state[0] == M) || (state[0] == E)) + ((state[1] == M) || (state[1] == E)))
#define holders ((state[0] != I) + (state[1] != I))

proctype Cache(byte i) {
  mtype got;
endloop:
  do
  :: state[i] == I ->
     if
     :: request ! read, i -> grant[i] ? got; state[i] = got
     :: request ! own, i -> grant[i] ? _; state[i] = M
     :: snoop[i] ? _ -> answer ! none      /* nothing here */
     fi
  :: state[i] == S ->
     if
     :: request ! own, i -> grant[i] ? _; state[i] = M
     :: snoop[i] ? read -> answer ! clean
     :: snoop[i] ? own -> state[i] = I; answer ! clean
     :: state[i] = I
     fi
  :: state[i] == E ->
     if
     :: state[i] = M                       /* silent upgrade */
     :: snoop[i] ? read -> state[i] = S; answer ! clean
     :: snoop[i] ? own -> state[i] = I; answer ! clean
     :: state[i] = I
     fi
  :: state[i] == M ->
     if
     :: snoop[i] ? read -> state[i] = S; answer ! dirty
     :: snoop[i] ? own -> state[i] = I; answer ! dirty
     :: state[i] = I                       /* write back */
     fi
  od
}

active proctype Bus() {
  byte who, k;
  mtype:bus what, said;
  bool elsewhere;
end:
  do
  :: request ? what, who ->
     elsewhere = false;
     for (k : 0 .. N - 1) {
       if
       :: k != who -> snoop[k] ! what; answer ? said; elsewhere = elsewhere || said != none
       :: else
       fi
     }
     if
     :: what == read && elsewhere -> grant[who] ! S
     :: what == read && !elsewhere -> grant[who] ! E
     :: what == own -> grant[who] ! M
     fi
  od
}

init {
  atomic { run Cache(0); run Cache(1) };
  do
  :: assert(writers <= 1 && (writers == 0 || holders == 1))
  od
}
