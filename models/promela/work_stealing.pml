/* A work-stealing deque in which the owner's pop and the thief's steal race for the last task.
 * N. Arora, R. Blumofe, C. G. Plaxton, "Thread scheduling for multiprogrammed multiprocessors", 1998 (the age with its tag).
 * Why: bottom is the owner's, top and tag are changed by compare-and-swap; every task is done exactly once.
 * expect: holds
 * spin: 2967 5618
 */
#define TASKS 3
#define NONE 255
byte deque[TASKS];
byte bottom, top, tag;
byte times[TASKS];

inline work(t) {
  times[t]++;
  assert(times[t] == 1)
}

active proctype Owner() {
  byte k, b, old_top, old_tag;
  for (k : 0 .. TASKS - 1) {              /* push all */
    deque[bottom] = k;
    bottom++
  }
  do
  :: bottom == 0 -> break
  :: else ->
     b = bottom - 1;
     bottom = b;
     k = deque[b];
     d_step { old_top = top; old_tag = tag };
     if
     :: b > old_top -> work(k)
     :: else ->
        bottom = 0;
        if
        :: b == old_top ->
           if
           :: atomic { top == old_top && tag == old_tag -> top = 0; tag++ }; work(k)
           :: atomic { top != old_top || tag != old_tag -> top = 0; tag++ }
           fi
        :: else -> atomic { top = 0; tag++ }
        fi;
        break
     fi
  od
}

active proctype Thief() {
  byte t, old_top, old_tag, tries;
  do
  :: tries < 3 ->
     tries++;
     d_step { old_top = top; old_tag = tag };
     if
     :: bottom > old_top ->
        t = deque[old_top];
        if
        :: atomic { top == old_top && tag == old_tag -> top++ }; work(t)
        :: atomic { top != old_top || tag != old_tag -> skip }
        fi
     :: else
     fi
  :: tries == 3 -> break
  od
}
