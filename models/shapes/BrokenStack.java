// A stack of linked nodes without a lock; any number of threads push and pop.
// Why: the broken twin of SafeStack.java: two threads meet inside, and one pops what the other has just popped.
// expect inside: violated
// expect error: violated
// run: check --property inside --property error
class Node {
    Node next;
}

class Stack {
    Node top;

    void push(Node n) {
        //@ exclusive inside
        {
            n.next = top;
            top = n;
        }
    }

    void pop() {
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

public class BrokenStack {
    public static void main(String[] args) {
        while (true) {
            new User().start();
        }
    }
}
