// The holder of a lock tries to take it again.
// Why: it gets it, and gives it back as often as it took it.
// expect: holds
import java.util.concurrent.locks.ReentrantLock;
public class TryLock {
    static final ReentrantLock lock = new ReentrantLock();
    public static void main(String[] args) {
        lock.lock();
        if (lock.tryLock()) { lock.unlock(); } else { assert false; }
        lock.unlock();
    }
}
