// A loop that prints without end.
// Why: no thread waits, so it is no deadlock.
// expect: holds
public class Ticker {
    public static void main(String[] args) { while (true) { System.out.println("tick"); } }
}
