// allowed: holds unknown refused
public class StrObj { public static void main(String[] x) { String s = "x"; Object o = s; assert o != null; } }
