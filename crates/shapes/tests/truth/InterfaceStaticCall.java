// allowed: holds refused
class Main { static boolean v; public static void main(String[] args) { I.f(); assert v; } }
interface I { static void f() { Main.v = true; } }
