/* Priorities: the most urgent process that can move moves; set_priority changes the order, get_priority reads it.
 * expect: holds
 * spin: 16 16
 */
byte log;

active proctype Low() priority 2 {
  assert(get_priority(_pid) == 2 && _priority == 2);
  assert(log == 1);
  log = 2;
  set_priority(2, 1);        /* Mid falls below us */
  assert(log == 2);
  log = 3
}

active proctype High() priority 10 {
  assert(log == 0);
  log = 1;
  log == 3;                  /* blocks: the others may run */
  log = 4
}

active proctype Mid() priority 1 {
  assert(log == 4);
  log = 5
}
