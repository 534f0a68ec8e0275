// allowed: holds unknown refused
public class StrLock { static final String s = "x"; public static void main(String[] x) { synchronized (s) { } } }
