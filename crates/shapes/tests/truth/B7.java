// allowed: holds unknown
public class B7 { static boolean b; static boolean t() { b = true; return true; } public static void main(String[] x) { boolean c = false; if (c && t()) { } assert !b; if (c & t()) { } assert b; } }
