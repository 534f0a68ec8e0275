// allowed: holds unknown
public class FinOverride { static boolean f() { try { return false; } finally { return true; } } public static void main(String[] x) { boolean b = f(); assert b; } }
