import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles and runs programs as its standard input asks; one JVM for all of them. */
public final class Harness {
    private static final PrintStream ANSWERS = System.out;

    private Harness() {
    }

    public static void main(String[] args) throws Exception {
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "compile" -> compile(words[1], words[2]);
                case "random" -> random(words[1], words[2], Integer.parseInt(words[3]),
                    Long.parseLong(words[4]), Long.parseLong(words[5]));
                default -> force(words[1], words[2], words.length > 3 ? words[3] : "");
            }
            ANSWERS.println("end");
            ANSWERS.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private static void compile(String file, String folder) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-d", folder, "-cp", System.getProperty("java.class.path"),
                "-XDstringConcat=inline", "-proc:none", "-nowarn", "-Xlint:none");
            boolean fine = compiler.getTask(said, files, null, options, null,
                files.getJavaFileObjects(Path.of(file))).call();
            if (!fine) {
                said.toString().lines().limit(6).forEach(line -> ANSWERS.println("error " + line));
            }
        }
    }

    private static void random(String name, String folder, int runs, long seed, long quiet)
        throws Exception {
        int blocked = 0;
        for (int run = 0; run < runs && blocked < 4; run++) {
            String outcome = once(name, folder, new Run(seed + run, null, quiet));
            if (outcome.equals("endless") || !outcome.contains("blocked=0")) {
                blocked++;
            }
        }
    }

    private static void force(String name, String folder, String steps) throws Exception {
        String[] parts = steps.isEmpty() ? new String[0] : steps.split(",");
        int[][] schedule = new int[parts.length][];
        for (int at = 0; at < parts.length; at++) {
            String[] step = parts[at].split(":");
            schedule[at] = new int[] {Integer.parseInt(step[0]), Integer.parseInt(step[1])};
        }
        once(name, folder, new Run(1, schedule, 40));
    }

    private static String once(String name, String folder, Run run) throws Exception {
        URL[] where = {Path.of(folder).toUri().toURL()};
        String outcome;
        URLClassLoader loader = new URLClassLoader(where, Harness.class.getClassLoader());
        loader.setDefaultAssertionStatus(true);
        Class<?>[] loaded = new Class<?>[1];
        outcome = run.outcome(loaded, name, loader);
        ANSWERS.println("run " + outcome + " | " + String.join(" ", run.events()));
        return outcome;
    }

    /** The static fields of the main class, as the interpreter shows them. */
    static String fields(Class<?> main) {
        if (main == null) {
            return "unreadable ";
        }
        StringBuilder text = new StringBuilder();
        try {
            for (Field field : main.getDeclaredFields()) {
                field.setAccessible(true);
                Object value = field.get(null);
                boolean atomic = value instanceof AtomicInteger || value instanceof AtomicBoolean
                    || value instanceof AtomicReference;
                if (field.isSynthetic() || (Modifier.isFinal(field.getModifiers()) && !atomic)) {
                    continue;
                }
                text.append(field.getName()).append('=').append(shown(value)).append(' ');
            }
        } catch (IllegalAccessException | LinkageError e) {
            return "unreadable ";
        }
        return text.toString();
    }

    private static String shown(Object value) {
        if (value instanceof AtomicInteger || value instanceof AtomicBoolean) {
            return value.toString();
        }
        if (value instanceof AtomicReference<?> reference) {
            return shown(reference.get());
        }
        if (value == null || value instanceof Integer || value instanceof Boolean) {
            return String.valueOf(value);
        }
        return value instanceof String ? "text" : "object";
    }
}
