/* Variables whose names mean something in C or in SPIN's verifier: they are names like any other.
 * SPIN's default verifier does not compile: its hidden variable `done` clashes with pan's own (with -o2 it does).
 * expect: holds
 * spin: 13 19
 */
byte done, now_;

active [2] proctype P() {
  done++;
  now_ = 1
}
