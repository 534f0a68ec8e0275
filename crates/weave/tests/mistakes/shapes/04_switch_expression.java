public class Door {
    enum State { OPEN, SHUT }

    static volatile State state = State.OPEN;

    static class Porter extends Thread {
        public void run() {
            state = switch (state) {
                case OPEN -> State.SHUT;
                case SHUT -> State.OPEN;
            };
        }
    }

    public static void main(String[] args) {
        new Porter().start();
    }
}
