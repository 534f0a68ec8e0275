byte limit = 300;
byte used = 0;

active proctype Writer() {
    do
    :: used < limit -> used++
    :: used == limit -> break
    od
}
