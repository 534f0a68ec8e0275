/* A window of a breadth-first search by two workers, as in docs/internals/search.md: shares from a counter, threads
 * that meet between phases, and of several that find the same state the first in order.
 * Why: whichever thread is faster, each state is expanded once, numbers and parents are those of one worker, and all end.
 * expect: holds
 * spin: 25831 50843
 */
#define WORKERS 2
#define STATES 4   /* of the window, one in a share */
#define TARGETS 4  /* what they lead to */

/* State s leads to targets s / 2 and (s + 1) % TARGETS; target 3 is stored already. */
#define left(s) ((s) / 2)
#define right(s) (((s) + 1) % TARGETS)
#define target(place) ((place) % 2 == 0 -> left((place) / 2) : right((place) / 2))

byte next_share;         /* the counter of shares */
byte next_part;          /* the counter of parts; a part is a target here */
byte expanded[STATES];
bool is_candidate[8];    /* by place: 2 * state + edge */
bool is_first[8];
byte found_by[TARGETS];  /* the place of the first candidate plus one */
byte waiting;            /* workers that have reached the end of a phase */
byte phase;

/* Threads meet; the last one opens the next phase. */
inline meet(mine) {
  atomic {
    waiting++;
    if
    :: waiting == WORKERS -> waiting = 0; phase++
    :: else
    fi
  };
  phase > mine
}

active [WORKERS] proctype Worker() {
  byte share, part, place;
  /* Expand: the store only reads. */
  do
  :: d_step { share = next_share; next_share++ };
     if
     :: share >= STATES -> break
     :: else
     fi;
     expanded[share]++;
     is_candidate[2 * share] = true;
     if
     :: right(share) != 3 -> is_candidate[2 * share + 1] = true
     :: else
     fi
  od;
  meet(0);
  /* First: one worker at a part, candidates in order. */
  do
  :: d_step { part = next_part; next_part++ };
     if
     :: part >= TARGETS -> break
     :: else
     fi;
     place = 0;
     do
     :: place < 2 * STATES ->
        if
        :: is_candidate[place] && found_by[part] == 0 && target(place) == part ->
           is_first[place] = true;
           found_by[part] = place + 1
        :: else
        fi;
        place++
     :: else -> break
     od
  od;
  meet(1);
  /* Every state was expanded once; the first finder of each target is that of one worker. */
  assert(expanded[0] == 1 && expanded[1] == 1 && expanded[2] == 1 && expanded[3] == 1);
  assert(found_by[0] == 1 && found_by[1] == 2 && found_by[2] == 4 && found_by[3] == 0);
  assert(is_first[0] && is_first[1] && is_first[3] && !is_first[2] && !is_first[4] && !is_first[6])
}
