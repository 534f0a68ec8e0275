// allowed: violated refused
enum E { A, B }
class Main { public static void main(String[] args) { assert E.A == E.B; } }
