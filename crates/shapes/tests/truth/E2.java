// allowed: violated unknown
public class E2 { static Integer f() { return null; } public static void main(String[] x) { int k = f(); } }
