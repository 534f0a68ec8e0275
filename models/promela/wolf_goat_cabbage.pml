/* The ferryman with wolf, goat and cabbage: the goal is stated as an assertion that it cannot be reached.
 * Alcuin of York, "Propositiones ad acuendos juvenes", about 800.
 * Why: search as a solver of puzzles: the counterexample is the solution; with breadth-first search, the shortest.
 *      The crossings are d_steps: the escape is tried before every step, inside atomic too.
 * run: check --search bfs
 * expect: violated
 * expect assertion: violated
 * spin: 38 53
 */
bool man, wolf, goat, cabbage;         /* on the far bank? */

#define safe (man == goat || (goat != wolf && goat != cabbage))

active proctype Ferry() {
  do
  :: assert(!(man && wolf && goat && cabbage));
     if
     :: man = !man
     :: d_step { wolf == man -> man = !man; wolf = man }
     :: d_step { goat == man -> man = !man; goat = man }
     :: d_step { cabbage == man -> man = !man; cabbage = man }
     fi
  od unless { !safe }                 /* eaten: this run is over */
}
