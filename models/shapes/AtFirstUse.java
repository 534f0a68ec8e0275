// A class is initialized on its first use, by who uses it, and sees what is there by then.
// Why: static fields that get their values from each other.
// expect: holds
public class AtFirstUse {
    static Object o = Helper.h;
    static class Helper { static Object h = new Object(); static Object g = AtFirstUse.o; }
    public static void main(String[] args) { assert o != null; assert Helper.g == null; }
}
