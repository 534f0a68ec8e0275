// allowed: violated unknown
public class SleepNeg { public static void main(String[] x) throws Exception { int n = -5; Thread.sleep(n); } }
