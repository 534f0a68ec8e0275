/* A statement that blocks inside a d_step is an error.
 * SPIN: "block in d_step seq" stops the whole search, so no counts.
 * expect: violated
 * expect runtime: violated
 */
byte x;

active proctype P() {
  d_step {
    x = 1;
    x == 2;
    x = 3
  }
}
