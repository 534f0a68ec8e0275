/* Dijkstra's self-stabilising token ring with K states per machine, started in an arbitrary state.
 * E. W. Dijkstra, "Self-stabilizing systems in spite of distributed control", CACM 17(11), 1974.
 * Why: convergence and closure as temporal properties; many initial states through select.
 *      There is always a privilege (no deadlock); once there is exactly one it stays so; and this comes about in every run.
 * expect safety: holds
 * expect closure: holds
 * expect convergence: holds
 * spin: 257 897
 */
#define N 4
#define K 4
byte s[N];
bool ready;

#define privileged_0 (s[0] == s[N - 1])
#define privileges (privileged_0 + (s[1] != s[0]) + (s[2] != s[1]) + (s[3] != s[2]))

init {
  byte i, v;
  atomic {
    for (i : 0 .. N - 1) {
      select (v : 0 .. K - 1);
      s[i] = v
    }
    i = 0;
    v = 0;
    ready = true
  }
  do
  :: d_step { privileged_0 -> assert(privileges >= 1); s[0] = (s[0] + 1) % K }
  :: d_step { s[1] != s[0] -> s[1] = s[0] }
  :: d_step { s[2] != s[1] -> s[2] = s[1] }
  :: d_step { s[3] != s[2] -> s[3] = s[2] }
  od
}

ltl closure     { [] ((ready && privileges == 1) -> [] (privileges == 1)) }
ltl convergence { <> (ready && privileges == 1) }
