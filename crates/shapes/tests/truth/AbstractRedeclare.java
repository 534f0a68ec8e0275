// allowed: holds
class Main { static boolean v; public static void main(String[] a) { P p = new R(); p.m(); assert v; } }
class P { void m() { } } abstract class Q extends P { abstract void m(); } class R extends Q { void m() { Main.v = true; } }
