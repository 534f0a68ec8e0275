bool busy = false;

active proctype Worker() {
    if (busy == false) {
        busy = true;
    } else {
        skip;
    }
    busy = false;
}
