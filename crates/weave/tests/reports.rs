//! Whole reports, as they are on the screen: one for each kind of verdict and of evidence.
//!
//! After a change of the screen: `UPDATE_EXPECT=1 cargo test -p everyweave --test reports`. What
//! depends on the machine is left out: times, memory, the solvers that are installed.

mod support;

use expect_test::{Expect, expect};
use support::{root, weave_in};

/// What `weave` prints for these arguments, called in the root of the project.
fn check(command: &str, expected: Expect) {
    let arguments: Vec<&str> = command.split(' ').collect();
    let answer = weave_in(&root(), &arguments);
    let lines = answer.stdout.lines().chain(answer.stderr.lines());
    let kept = lines.filter(|line| !depends_on_machine(line));
    let shown: String = kept.map(|line| format!("{line}\n")).collect();
    expected.assert_eq(&format!("{shown}exit code {}\n", answer.code));
}

fn depends_on_machine(line: &str) -> bool {
    line.contains(" states/s") || line.contains(", symbolic: ") || line.starts_with("solver: ")
}

#[test]
fn a_deadlock_with_its_chart() {
    check(
        "check models/promela/lost_wakeup.pml",
        expect![[r#"
        VIOLATED: deadlock: Waiter[0] waits at line 14 for `!asleep`, after 5 steps

        error[deadlock]: Waiter[0] waits at line 14 for `!asleep`
          --> models/promela/lost_wakeup.pml:14:6
           |
        14 |      !asleep
           |      ^^^^^^^ Waiter[0] is blocked here

        The run (5 steps), only what changes:
          1  Waiter[0]     line 12  !available
          2  Signaller[1]  line 21  available = true          available false -> true
          3  Signaller[1]  line 22  asleep = false
          4  Waiter[0]     line 13  asleep = true             asleep false -> true
          5  Signaller[1]  line 23  -end-                     Signaller[1] ends
          No step is enabled:
            Waiter[0] waits at line 14 for  !asleep

        The run as a chart, time runs downwards:
              Waiter[0]           Signaller[1]
              |                   |
           1  . !available        |
         2-3  |                   * available = true
           4  * asleep = true     |
           5  |                   = ends
         end  X !asleep

        help: `weave explain deadlock` says what counts as one, and how to allow it

        properties:
          deadlock   violated
          assertion  unknown (the search stopped at the first violation)
          runtime    unknown (the search stopped at the first violation)
        13 states, 13 transitions (0 matched), depth 8; search not complete, reduction persistent+sleep with proviso
        reproduce: weave check models/promela/lost_wakeup.pml
        exit code 1
    "#]],
    );
}

#[test]
fn a_failed_assertion() {
    check(
        "check models/promela/bank_transfer_race.pml",
        expect![[r#"
        VIOLATED: assertion: assert((account[0] + account[1]) == 20) fails at line 22, after 14 steps

        error[assertion]: assert((account[0] + account[1]) == 20) fails
          --> models/promela/bank_transfer_race.pml:22:3
           |
        22 |   assert(account[0] + account[1] == 20)
           |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ executed by init[0], with account[0] = 11, account[1] = 8

        The run (14 steps), only what changes:
             initially: account[0] = 10, account[1] = 10
          1  init[0]      line 20  run Transfer(0, 1, 1)     Transfer[1] is created
          2  init[0]      line 20  run Transfer(1, 0, 2)     Transfer[2] is created
          3  Transfer[1]  line 12  a = account[from]         a 0 -> 10
          4  Transfer[1]  line 13  b = account[to]           b 0 -> 10
          5  Transfer[1]  line 14  account[from] = a - amount  account[0] 10 -> 9
          6  Transfer[2]  line 12  a = account[from]         a 0 -> 10
          7  Transfer[2]  line 13  b = account[to]           b 0 -> 9
          8  Transfer[1]  line 15  account[to] = b + amount  account[1] 10 -> 11
          9  Transfer[1]  line 16  finished++                finished 0 -> 1
         10  Transfer[2]  line 14  account[from] = a - amount  account[1] 11 -> 8
         11  Transfer[2]  line 15  account[to] = b + amount  account[0] 9 -> 11
         12  Transfer[2]  line 16  finished++                finished 1 -> 2
         13  init[0]      line 21  finished == 2
         14  init[0]      line 22  assert((account[0] + account[1]) == 20)
             !! assertion violated

        The run as a chart, time runs downwards:
               init[0]                       Transfer[1]                   Transfer[2]
               |
            1  |-------------run------------>|
            2  |----------------------------run--------------------------->|
          3-5  |                             * a = account[from]; b = ac.. |
          6-7  |                             |                             * a = account[from]; b = ac..
          8-9  |                             * account[to] = b + amount;.. |
        10-12  |                             |                             * account[from] = a - amoun..
           13  . finished == 2               |                             |
           14  X assertion violated          |                             |

        properties:
          deadlock   unknown (the search stopped at the first violation)
          assertion  violated
          runtime    unknown (the search stopped at the first violation)
        29 states, 29 transitions (0 matched), depth 16; search not complete, reduction persistent+sleep with proviso
        reproduce: weave check models/promela/bank_transfer_race.pml
        exit code 1
    "#]],
    );
}

#[test]
fn a_run_that_terminates_too_early() {
    check(
        "check models/promela/peterson_ltl.pml",
        expect![[r#"
        VIOLATED: always_in: `[] <> in[0]` fails: nothing happens after step 4

        The run (4 steps), only what changes:
             initially: P[0]:other = 1
          1  P[1]  line 24  break
          2  P[1]  line 26  -end-                     P[1] ends
          3  P[0]  line 24  break
          4  P[0]  line 26  -end-                     P[0] ends
          No step is enabled: the run idles here without end.

        The run as a chart, time runs downwards:
              P[0]       P[1]
              |          |
           1  |          . break
           2  |          = ends
           3  . break
           4  = ends

        properties:
          deadlock   holds
          assertion  holds
          runtime    holds
          exclusion  holds
          entry      holds
          always_in  violated
        49 states, 61 transitions (12 matched), depth 14; complete search, reduction persistent+sleep with proviso
        exclusion: 53 states, 90 transitions with the property, reduction persistent with proviso: without sleep sets, because the search for a short run is breadth-first
        entry: 76 states, 149 transitions with the property, reduction persistent with proviso: without sleep sets, which can miss cycles
        always_in: 13 states, 13 transitions with the property, reduction persistent with proviso: without sleep sets, which can miss cycles
        reproduce: weave check models/promela/peterson_ltl.pml
        exit code 1
    "#]],
    );
}

#[test]
fn a_lasso() {
    check(
        "check models/spl/test_and_set_starves.spl",
        expect![[r#"
        VIOLATED: acc: `l1 ==> <>l2` fails: steps 3-6 repeat forever

        error[ltl]: `l1 ==> <>l2` fails: steps 3-6 repeat forever
         --> models/spl/test_and_set_starves.spl:8:10
          |
        8 | PROPERTY acc : l1 ==> <>l2
          |          ^^^ the run violates this

        The run (6 steps), only what changes:
             initially: lock = false
          1  P1[0]  line 5  l0: noncritical           at l0 -> l1
          2  P2[1]  line 7  m0: noncritical           at m0 -> m1
          --- steps 3-6 repeat forever ---
          3  P2[1]  line 7  m1: < await ~lock; lock := true >  lock false -> true, at m1 -> m2
          4  P2[1]  line 7  m2: critical              at m2 -> m3
          5  P2[1]  line 7  m3: lock := false         lock true -> false, at m3 -> m0
          6  P2[1]  line 7  m0: noncritical           at m0 -> m1
          --- back to step 3 ---

        The run as a chart, time runs downwards:
              P1[0]                         P2[1]
              |                             |
           1  * l0: noncritical             |
           2  |                             * m0: noncritical
          --- steps 3-6 repeat forever ---
         3-6  |                             * m1: < await ~lock; lock :..

        properties:
          acc  violated
        12 states, 21 transitions (9 matched), depth 4; complete search, no reduction
        reproduce: weave check models/spl/test_and_set_starves.spl
        exit code 1
    "#]],
    );
}

#[test]
fn a_violated_invariant_of_spl() {
    check(
        "check models/spl/counter_race.spl",
        expect![[r#"
        VIOLATED: both: `[](l2 /\ m2 --> c = 2)` fails, after 4 steps

        error[ltl]: `[](l2 /\ m2 --> c = 2)` fails
         --> models/spl/counter_race.spl:8:10
          |
        8 | PROPERTY both : [](l2 /\ m2 --> c = 2)
          |          ^^^^ the run violates this

        The run (4 steps), only what changes:
             initially: c = 0, x = 0, y = 0
          1  P2[1]  line 7  m0: y := c                at m0 -> m1
          2  P1[0]  line 5  l0: x := c                at l0 -> l1
          3  P2[1]  line 7  m1: c := y + 1            c 0 -> 1, at m1 -> m2
          4  P1[0]  line 5  l1: c := x + 1            at l1 -> l2

        The run as a chart, time runs downwards:
              P2[1]             P1[0]
              |                 |
           1  * m0: y := c      |
           2  |                 * l0: x := c
           3  * m1: c := y + 1  |
           4  |                 * l1: c := x + 1

        properties:
          runtime  holds
          both     violated
        13 states, 15 transitions (2 matched), depth 4; complete search, no reduction
        reproduce: weave check models/spl/counter_race.spl
        exit code 1
    "#]],
    );
}

#[test]
fn holds_with_a_certificate() {
    check(
        "check --certify models/promela/peterson.pml",
        expect![[r#"
        HOLDS: no deadlock, no failed assertion, no run-time error in 38 states

        38 states, 51 transitions (13 matched), depth 15; complete search, reduction persistent+sleep with proviso
        certified: a closed set of 38 states (deadlock, assertion, runtime)
        reproduce: weave check --certify models/promela/peterson.pml
        exit code 0
    "#]],
    );
}

#[test]
fn holds_by_the_symbolic_engine() {
    check(
        "check --engine symbolic models/spl/mux_sem_just.spl",
        expect![[r#"
        HOLDS: mux holds, acc holds in 12 states

        certified: 1 level of 12 states of the product (mux); 4 levels of 18 states of the product (acc)
        reproduce: weave check --engine symbolic models/spl/mux_sem_just.spl
        exit code 0
    "#]],
    );
}

#[test]
fn unknown_because_of_a_limit() {
    check(
        "check --max-states 5 models/promela/peterson.pml",
        expect![[r#"
        UNKNOWN: limit of 5 states reached

        properties:
          deadlock   unknown (limit of 5 states reached)
          assertion  unknown (limit of 5 states reached)
          runtime    unknown (limit of 5 states reached)
        6 states, 6 transitions (0 matched), depth 5; search not complete, reduction persistent+sleep with proviso
        reproduce: weave check --max-states 5 models/promela/peterson.pml
        exit code 3
    "#]],
    );
}

#[test]
fn a_proof() {
    check(
        "prove --threads 1 --solver embedded models/spl/peterson_proof.spl",
        expect![[r#"
        HOLDS: 3 properties proved

        flags holds: B-INV: 12 of 12 conditions
          []((y1 <--> l{2,3,4}) /\ (y2 <--> m{2,3,4}))

        mux holds: Model-Check: 1 of 1 condition
          []~(l3 /\ m3)

        one_bounded holds: G-WAIT: 38 of 38 conditions
          l2 ==> ~m3 Awaits m3 Awaits ~m3 Awaits l3
          from: flags

        certified: the conditions of the proof, made again (flags, one_bounded); 1 level of 26 states of the product (mux)
        reproduce: weave prove --threads 1 --solver embedded models/spl/peterson_proof.spl
        exit code 0
        "#]],
    );
}

#[test]
fn a_proof_with_an_axiom_that_a_step_violates() {
    check(
        "prove --threads 1 --solver embedded models/spl/axiom_broken.spl",
        expect![[r#"
        VIOLATED: a: `[](x < 0 \/ x = 0)` fails, after 1 step

        a violated: `[](x < 0 \/ x = 0)` fails
             initially: x = 0
          1  P[0]  line 7  l0: x := 1                x 0 -> 1, at l0 -> l1

        b violated: `[](~l2)` fails
             initially: x = 0
          1  P[0]  line 7  l0: x := 1                x 0 -> 1, at l0 -> l1
          2  P[0]  line 7  l1: x := 2                x 1 -> 2, at l1 -> l2

        c violated: `<>false` fails: nothing happens after step 3
             initially: x = 0
          1  P[0]  line 7  l0: x := 1                x 0 -> 1, at l0 -> l1
          2  P[0]  line 7  l1: x := 2                x 1 -> 2, at l1 -> l2
          3  P[0]  line 7  l2: skip                  at l2 -> its end
          --- step 4 repeats forever ---
          4  P[0]          (idle)
          --- back to step 4 ---

        reproduce: weave prove --threads 1 --solver embedded models/spl/axiom_broken.spl
        warning[W0750]: `l0: x := 1` may violate axiom `ax`: it is not used, and what rests on it is unknown
         --> models/spl/axiom_broken.spl:7:6
          |
        7 | P::[ l0: x := 1; l1: x := 2; l2: skip ]
          |      ^^^^^^^^^^

        exit code 1
        "#]],
    );
}

#[test]
fn a_shape_run_that_violates_an_invariant() {
    check(
        "check models/shapes/mutex_broken.tvm",
        expect![[r#"
        VIOLATED: deadlock: worker[0] and worker[1] wait at line 40 for `l3: unlock -> l4`, after 4 steps

        error[deadlock]: worker[0] and worker[1] wait at line 40 for `l3: unlock -> l4`
          --> models/shapes/mutex_broken.tvm:40:3
           |
        40 |   l3: unlock -> l4
           |   ^^^^^^^^^^^^^^^^ worker[0], worker[1] are blocked here

        The run (4 steps, found breadth-first), only what changes:
             initially: worker[0]:at = l1, worker[1]:at = l1, isthread(worker[0]) = 1,
               isthread(worker[1]) = 1, ready(worker[0]) = 1, ready(worker[1]) = 1, is_lock(is_lock[2]) = 1,
               aLock(is_lock[2]) = 1
          1  worker[0]   line 38  l1: lock -> l2            held_by(is_lock[2], worker[0]) 0 -> 1
          2  worker[1]   line 38  l1: lock -> l2            held_by(is_lock[2], worker[1]) 0 -> 1
          3  worker[1]   line 39  l2: critical -> l3
          4  worker[0]   line 39  l2: critical -> l3
          At the end:
            worker[0] waits at line 40 for  l3: unlock -> l4
            worker[1] waits at line 40 for  l3: unlock -> l4

        The run as a chart, time runs downwards:
              worker[0]                     worker[1]
              |                             |
           1  * l1: lock -> l2              |
         2-3  |                             * l1: lock -> l2; l2: criti..
           4  * l2: critical -> l3          |
         end  X l3: unlock -> l4            X l3: unlock -> l4

        help: `weave explain deadlock` says what counts as one, and how to allow it

        1 more violation; --full shows its run:
          assertion: `!(exists a, b. at[l2](a) & at[l2](b) & a != b)` does not hold at models/shapes/mutex_broken.tvm:38, after 2 steps

        properties:
          deadlock  violated
          mutex     violated
        125 states, 570 transitions (445 matched), depth 12; complete search, no reduction
        violating states: deadlock 1, assertion 1
        assumes: that `blocked` is `function` (`l1: block -> l1` may violate it with 2 individuals, but did not in 52 concrete states)
        reproduce: weave check models/shapes/mutex_broken.tvm
        exit code 1
    "#]],
    );
}

#[test]
fn shapes_that_hold_under_assumptions() {
    check(
        "check models/shapes/mutex.tvm",
        expect![[r#"
        HOLDS: no deadlock, mutex holds in 41 states

        41 states, 122 transitions (81 matched), depth 9; complete search, no reduction
        assumes: that `held_by` is `function` (`l1: lock -> l2` may violate it with 2 individuals, but did not in 36 concrete states)
        assumes: that `blocked` is `function` (`l1: block -> l1` may violate it with 2 individuals, but did not in 36 concrete states)
        reproduce: weave check models/shapes/mutex.tvm
        exit code 0
    "#]],
    );
}

#[test]
fn a_refused_model() {
    check(
        "check models/shapes/mutex_refused.tvm",
        expect![[r#"
        error[E0920]: the model requires that `held_by` is `function`, but a run violates it
          --> models/shapes/mutex_refused.tvm:8:11
           |
         8 | predicate held_by(l, t) function
           |           ^^^^^^^ the constraint
        ...
        36 |   l1: lock -> l2
           |   -------------- the step that violates it
           |
           = note: the run, with 3 individuals: worker[0]: l1: lock -> l2; worker[1]: l1: lock -> l2
           = help: repair the action, or remove the constraint

        weave: 1 error in the model
        exit code 2
    "#]],
    );
}

#[test]
fn a_data_race_in_java() {
    check(
        "check --property race models/shapes/PetersonPlain.java",
        expect![[r#"
        VIOLATED: data race: `PetersonPlain.a` is written by P.run[1] (line 11) while Q.run[2] reads it (line 25), after 9 steps

        error[race]: `PetersonPlain.a` is written by P.run[1] (line 11) while Q.run[2] reads it (line 25)
          --> models/shapes/PetersonPlain.java:25:24
           |
        11 |                 PetersonPlain.a = true;
           |                 ---------------------- P.run[1] is here
        ...
        25 |                 while (PetersonPlain.a && PetersonPlain.turnA) { }
           |                        ^^^^^^^^^^^^^^^ Q.run[2] is here

        The run (9 steps, found breadth-first), only what changes:
          1  PetersonPlain.main[0]  line 32  new P()                   P.run[1] is created
          2  PetersonPlain.main[0]  line 32  new P().start()
          3  PetersonPlain.main[0]  line 32  new Q()                   Q.run[2] is created
          4  PetersonPlain.main[0]  line 32  new Q().start()
          5  PetersonPlain.main[0]  line 32  end
          6  Q.run[2]               line 23  PetersonPlain.b = true    PetersonPlain.b false -> true
          7  Q.run[2]               line 24  PetersonPlain.turnA = true  PetersonPlain.turnA false -> true
          8  P.run[1]               line 11  PetersonPlain.a = true    PetersonPlain.a false -> true
          9  Q.run[2]               line 25  PetersonPlain.a
          Nothing orders the last two steps: a data race.

        The run as a chart, time runs downwards:
              PetersonPlain.main[0]         P.run[1]                      Q.run[2]
              |
           1  |-------------new------------>|
           2  . new P().start()             |
           3  |----------------------------new--------------------------->|
         4-5  . new Q().start()             |                             |
         6-7  |                             |                             * PetersonPlain.b = true; P..
           8  |                             * PetersonPlain.a = true      |
           9  |                             |                             . PetersonPlain.a

        help: make both accesses under one lock, or the field `volatile`

        2 more violations; --full shows their runs:
          race: `PetersonPlain.b` is read by P.run[1] (line 13) while Q.run[2] writes it (line 23), after 9 steps
          race: `PetersonPlain.turnA` is written by P.run[1] (line 12) while Q.run[2] writes it (line 24), after 9 steps

        properties:
          race  violated
        37 states, 69 transitions (32 matched); complete search, reduction movers
        reproduce: weave check --property race models/shapes/PetersonPlain.java
        exit code 1
    "#]],
    );
}

#[test]
fn a_proof_with_a_failed_condition() {
    check(
        "prove --threads 1 --solver embedded models/spl/chosen_leaks.spl",
        expect![[r#"
        VIOLATED: b: `[](x < 3)` fails, after 3 steps

        b violated: `[](x < 3)` fails
             initially: x = 0, z = -1
          1  P[0]  line 5  l0: <choose z; await z > x /\ z < x + 2; x := z>  x 0 -> 1, z -1 -> 1
          2  P[0]  line 5  l0: <choose z; await z > x /\ z < x + 2; x := z>  x 1 -> 2, z 1 -> 2
          3  P[0]  line 5  l0: <choose z; await z > x /\ z < x + 2; x := z>  x 2 -> 3, z 2 -> 3

        reproduce: weave prove --threads 1 --solver embedded models/spl/chosen_leaks.spl
        exit code 1
        "#]],
    );
}
