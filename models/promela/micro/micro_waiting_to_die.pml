/* A process that has ended but must wait for a younger one to die is no deadlock; the younger one, blocked, is.
 * expect: violated
 * expect deadlock: violated
 * spin: 2 2
 */
active proctype Ended() {
  skip
}

active proctype Blocked() {
  false
}
