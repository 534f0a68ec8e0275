// allowed: violated unknown
public class UnboxNull { static Integer box; public static void main(String[] a) { int k = box; } }
