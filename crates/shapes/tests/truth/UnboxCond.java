// allowed: violated unknown
public class UnboxCond { static Integer box; public static void main(String[] a) { if (box > 3) { } } }
