/* Three tasks under a fixed-priority pre-emptive scheduler: the most urgent enabled task runs.
 * C. L. Liu and J. W. Layland, "Scheduling algorithms for multiprogramming in a hard-real-time environment", JACM 20(1), 1973.
 * Why: Promela's process priorities: the order of completion is forced, and a woken urgent task comes before the rest.
 * expect: holds
 * spin: 13 13
 */
byte order, woken;

active proctype Background() priority 1 {
  order++;
  assert(order == 3 && woken == 2)
}

active proctype Worker() priority 5 {
  woken = 1;                    /* wakes Urgent, which pre-empts us here */
  assert(woken == 2 && order == 1);
  order++
}

active proctype Urgent() priority 9 {
  woken == 1;
  woken = 2;
  order++;
  assert(order == 1)
}
