// allowed: holds unknown
public class C1 { static boolean f() { try { int[] a = new int[1]; Object o = null; o.hashCode(); return false; } catch (NullPointerException e) { return true; } } public static void main(String[] x) { boolean b = f(); assert b; } }
