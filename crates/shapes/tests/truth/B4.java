// allowed: holds unknown
public class B4 { static class S { static boolean ok = true; static S one = new S(); boolean seen; S() { seen = ok; } } public static void main(String[] x) { assert S.one.seen; } }
