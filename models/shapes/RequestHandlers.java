// Figure 2 of the paper: main takes requests from a queue and creates a handler for each; handlers share a resource.
// Why: the example of the paper from its own source: a list, creation of threads, and a lock.
// expect critical: holds
// expect deadlock: holds
// run: check --property critical --property deadlock
class Request {
    Request next;
}

class RequestHandler implements Runnable {
    static final Object l = new Object();
    Request r;

    RequestHandler(Request r) {
        this.r = r;
    }

    public void run() {
        while (true) {
            synchronized (l) {
                //@ exclusive critical
                System.out.println("critical");
            }
        }
    }
}

public class RequestHandlers {
    static Request curr = new Request();
    static Request tail = curr;

    public static void main(String[] args) {
        //@ any
        for (int i = 0; i < args.length; i++) {
            Request n = new Request();
            tail.next = n;
            tail = n;
        }
        while (true) {
            if (curr != tail) {
                Request r = curr;
                curr = curr.next;
                Thread t = new Thread(new RequestHandler(r));
                t.start();
            }
        }
    }
}
