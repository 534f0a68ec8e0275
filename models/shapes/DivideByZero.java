// A division by a number that may be 0; the result has no range.
// Why: ArithmeticException, whatever becomes of the result.
// expect error: violated
// run: check --property error
public class DivideByZero {
    //@ range n 0..3
    static int n;
    public static void main(String[] args) { int m = 3 / n; System.out.println(m); }
}
