// allowed: violated refused
class NullPointerException extends RuntimeException { }
class Main { public static void main(String[] a) throws Exception { try { Object o = null; o.hashCode(); } catch (NullPointerException e) { } } }
