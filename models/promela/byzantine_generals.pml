/* Oral messages OM(1): a commander and three lieutenants, at most one traitor, who tells everyone what he likes.
 * L. Lamport, R. Shostak, M. Pease, "The Byzantine generals problem", ACM TOPLAS 4(3), 1982.
 * Why: 4 > 3 * 1 suffices: loyal lieutenants agree, and obey a loyal commander.
 * expect: holds
 * spin: 2009 2009
 */
#define N 4
typedef Row { bit said[N] }
byte traitor;                        /* N: none */
bit order;
bit direct[N];
Row heard[N];
bit decision[N];

inline tell(speaker, variable, value) {
  if
  :: speaker != traitor -> variable = value
  :: speaker == traitor -> variable = 0
  :: speaker == traitor -> variable = 1
  fi
}

init {
  byte i, j, ones;
  atomic {
    select (traitor : 0 .. N);
    if
    :: order = 0
    :: order = 1
    fi
  };
  atomic { for (i : 1 .. 3) { tell(0, direct[i], order) } };
  atomic {
    for (i : 1 .. 3) {
      for (j : 1 .. 3) {
        if
        :: i != j -> tell(j, heard[i].said[j], direct[j])
        :: else
        fi
      }
    }
  };
  d_step {
    for (i : 1 .. 3) {
      ones = direct[i];
      for (j : 1 .. 3) {
        if
        :: i != j -> ones = ones + heard[i].said[j]
        :: else
        fi
      }
      decision[i] = (ones >= 2)
    };
    ones = 0; i = 0; j = 0
  };
  for (i : 1 .. 3) {
    assert(traitor == 0 || i == traitor || decision[i] == order);
    for (j : 1 .. 3) {
      assert(i == traitor || j == traitor || decision[i] == decision[j])
    }
  }
}
