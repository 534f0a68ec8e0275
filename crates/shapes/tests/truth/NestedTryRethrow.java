// allowed: holds
class Main { static boolean v; public static void main(String[] a) { try { try { throw new IllegalStateException(); } catch (IllegalArgumentException e) { v = true; } } catch (RuntimeException e) { } assert !v; } }
