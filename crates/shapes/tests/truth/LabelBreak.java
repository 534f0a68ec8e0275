// allowed: violated refused
class Main { public static void main(String[] args) { boolean b = true; o: while (b) { while (true) { b = false; break o; } } assert b; } }
