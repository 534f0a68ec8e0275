/* A relative of SPIN's issue 78: how many processes are alive depends on everyone's birth and death.
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
