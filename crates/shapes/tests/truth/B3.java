// allowed: violated unknown
public class B3 { static class S { static S one = new S(); static boolean ok = true; boolean seen; S() { seen = ok; } } public static void main(String[] x) { assert S.one.seen; } }
