// allowed: violated unknown
public class AssertMsg { static class A { boolean b; } public static void main(String[] x) { A a = null; boolean c = false; assert c : "x" + a.b; } }
