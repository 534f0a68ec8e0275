// `toString` is called by the concatenation, and follows null.
// Why: code of the program that the library calls is not followed, so nothing is said to hold.
// expect: unknown
public class Concatenation {
    static class Account {
        Account other;
        public String toString() { return other.toString(); }
    }
    public static void main(String[] args) { Account a = new Account(); String s = "account " + a; }
}
