// allowed: violated unknown
public class UnboxReturn { static Integer box; static int f() { return box; } public static void main(String[] a) { f(); } }
