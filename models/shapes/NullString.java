// A text that another thread sets to null between the test and the use.
// Why: texts are forgotten, so whether one is null is not known.
// expect race: violated
// expect error: unknown
// run: check --property error
public class NullString {
    static class Box { String name; }
    static class Reader extends Thread {
        Box box;
        Reader(Box box) { this.box = box; }
        public void run() { if (box.name != null) { System.out.println(box.name.length()); } }
    }
    public static void main(String[] args) {
        Box box = new Box();
        box.name = "x";
        new Reader(box).start();
        box.name = null;
    }
}
