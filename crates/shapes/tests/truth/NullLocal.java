// allowed: violated unknown
public class NullLocal { public static void main(String[] a) { String s = null; boolean b = s.isEmpty(); } }
