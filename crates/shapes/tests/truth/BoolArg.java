// allowed: holds unknown
public class BoolArg { static boolean t; static void f(boolean b) { t = b; } public static void main(String[] x) { String s = "abc"; f(s.isEmpty()); assert !t; } }
