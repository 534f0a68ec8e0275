// allowed: holds unknown
public class SleepLoop { public static void main(String[] x) throws Exception { for (;;) { Thread.sleep(10); } } }
