// A stack of linked nodes under one monitor; any number of threads push and pop.
// Why: no two threads are ever inside, and no null is ever followed.
// expect inside: holds
// expect error: holds
// run: check --property inside --property error
class Node {
    Node next;
}

class Stack {
    Node top;

    synchronized void push(Node n) {
        //@ exclusive inside
        {
            n.next = top;
            top = n;
        }
    }

    synchronized void pop() {
        //@ exclusive inside
        {
            if (top != null) top = top.next;
        }
    }
}

class User extends Thread {
    static final Stack stack = new Stack();

    public void run() {
        while (true) {
            stack.push(new Node());
            stack.pop();
        }
    }
}

public class SafeStack {
    public static void main(String[] args) {
        while (true) {
            new User().start();
        }
    }
}
