/* A relative of SPIN's issue 78: how many processes are alive depends on everyone's birth and death.
 * SPIN 6.5.2 misses this one too in its default build.
 * expect: violated
 * expect assertion: violated
 * spin: 13 17
 */
proctype Child() {
  skip
}

active proctype Parent() {
  run Child()
}

active proctype Counter() {
  assert(_nr_pr == 2)
}
