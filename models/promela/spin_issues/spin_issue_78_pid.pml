/* SPIN's issue 78: partial-order reduction takes _pid for a constant of the process. init is number 0, the active f
 * is 1, and the f that init starts is 2, or 1 if the first has died by then; the assertion fails.
 * SPIN 6.5.2: default build finds no error, -DNOREDUCE does.
 * expect: violated
 * expect assertion: violated
 * spin: 11 15
 */
init {
  run f()
}

active proctype f() {
  assert(_pid == 1)
}
