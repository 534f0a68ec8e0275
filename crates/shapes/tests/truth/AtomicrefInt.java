// allowed: violated refused
import java.util.concurrent.atomic.*;
class Main { static final AtomicReference<Integer> r = new AtomicReference<>(); public static void main(String[] a) { int k = r.get(); } }
