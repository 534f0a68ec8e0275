// allowed: violated unknown
public class C2 { static String s; static boolean f() { try { s.length(); return false; } catch (NullPointerException e) { return true; } } public static void main(String[] x) { boolean b = f(); assert !b; } }
