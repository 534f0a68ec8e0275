// allowed: violated unknown
import java.util.concurrent.locks.ReentrantLock;
public class UnlockTwice { static final ReentrantLock l = new ReentrantLock(); public static void main(String[] x) { l.lock(); l.lock(); l.unlock(); l.unlock(); l.unlock(); } }
