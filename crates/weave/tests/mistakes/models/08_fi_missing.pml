bool door = false;
byte rooms = 2;

active proctype Guest() {
    if
    :: door -> rooms--;
    :: else -> door = true;
    assert(rooms <= 2);
}

active proctype Host() {
    door = false;
}
