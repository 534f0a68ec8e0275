// The object whose field is assigned is the one before the right side.
// Why: order of evaluation.
// expect: holds
public class Evaluation {
    Evaluation f;
    public static void main(String[] args) {
        Evaluation a = new Evaluation(), b = new Evaluation(), c = a;
        a.f = (a = b);
        assert c.f == b;
        assert b.f == null;
    }
}
