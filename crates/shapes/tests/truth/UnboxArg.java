// allowed: violated unknown
public class UnboxArg { static Integer box; static void f(int k) { } public static void main(String[] a) { f(box); } }
