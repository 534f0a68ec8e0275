// allowed: violated unknown
public class UnboxSum { static Integer box; public static void main(String[] a) { int k = 1 + box; } }
