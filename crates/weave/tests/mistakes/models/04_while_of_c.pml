byte turn = 0;

active [2] proctype Worker() {
    while (turn != _pid) {
        skip;
    }
    turn = 1 - turn;
}
