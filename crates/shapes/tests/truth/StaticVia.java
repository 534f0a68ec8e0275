// allowed: holds unknown
public class StaticVia { static boolean t; static StaticVia f() { t = true; return null; } static void g() { } public static void main(String[] x) { f().g(); assert t; } }
