import java.net.Socket;

public class Client {
    static class Worker extends Thread {
        public void run() {
            try {
                Socket s = new Socket("localhost", 80);
                s.close();
            } catch (Exception e) {
                System.out.println("no server");
            }
        }
    }

    public static void main(String[] args) {
        new Worker().start();
    }
}
