// allowed: holds
class Main { static boolean v; static Object bad() { throw new RuntimeException(); } static boolean set() { v = true; return true; } public static void main(String[] a) { try { S.p = bad(); } catch (RuntimeException e) { } assert !v; } }
class S { static boolean b = Main.set(); static Object p; }
