//! The names of the library that the reader knows, where they come from, and which declarations
//! take them for something else.
//!
//! A type of the program, a type parameter or a variable with such a name would be taken for the
//! library's; a variable with the name of a type obscures that (JLS 6.4.2); an import may bring
//! another class of that name. All of these are refused.

use crate::program::Program;
use crate::raise::is_exception;
use crate::tree::children;
use tree_sitter::Node;

/// Names, with blanks between them.
pub struct Words(pub &'static str);

impl Words {
    pub fn contains(&self, word: &str) -> bool {
        self.0.split_whitespace().any(|w| w == word)
    }
}

/// Classes and interfaces that are known by their name and are not in `java.lang`.
const ELSEWHERE: [(&str, Words); 5] = [
    ("java.util", Words("Random NoSuchElementException ConcurrentModificationException")),
    (
        "java.util.concurrent",
        Words(
            "Executor ExecutorService Executors Future Callable TimeUnit TimeoutException \
        RejectedExecutionException ExecutionException",
        ),
    ),
    ("java.util.concurrent.atomic", Words("AtomicBoolean AtomicReference AtomicInteger AtomicLong")),
    ("java.util.concurrent.locks", Words("Lock ReentrantLock Condition")),
    ("java.io", Words("IOException")),
];

/// Those of `java.lang`, beside the exceptions.
const LANG: Words = Words(
    "Object String Integer Long Double Float Short Byte Character Boolean Number Math System \
     Thread Runnable Class StringBuilder StringBuffer Throwable CharSequence Comparable Iterable \
     Cloneable AutoCloseable Runtime Override",
);

/// Member types that every class below `Thread` inherits.
const OF_THREAD: [&str; 3] = ["State", "Builder", "UncaughtExceptionHandler"];

/// The package of a name of the library that is known.
fn package(name: &str) -> Option<&'static str> {
    let known = ELSEWHERE.iter().find(|(_, known)| known.contains(name)).map(|(package, _)| *package);
    let lang = || LANG.contains(name) || is_exception(name);
    known.or_else(|| lang().then_some("java.lang"))
}

/// Whether a name is one of the library that is known.
pub fn is_library(name: &str) -> bool {
    package(name).is_some()
}

impl<'t> Program<'t> {
    /// Whether a name is that of a class or interface of the program.
    pub fn is_own(&self, name: &str) -> bool {
        self.classes.contains_key(name) || self.interfaces.contains_key(name)
    }

    /// A class or interface is declared.
    pub fn declares_type(&mut self, node: Node<'t>) {
        let name = self.part(node, "name");
        let of_weave =
            name.strip_prefix("lambda").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if is_library(name) || of_weave {
            let what = if of_weave { "weave itself gives" } else { "a class of the library has" };
            self.refuse(node, format!("`{name}` is a name that {what}"), "rename it");
        }
    }

    /// A variable or type parameter is declared.
    pub fn declares_name(&mut self, node: Node<'t>, name: &str) {
        if is_library(name) || self.is_own(name) {
            let message =
                format!("`{name}` is the name of a type too, and which one is meant is not modelled");
            self.refuse(node, message, "rename the variable or the type");
        }
    }

    /// An import brings a type from where it is known to be.
    pub fn imports(&mut self, node: Node<'t>) {
        let is_static = children(node).into_iter().any(|n| n.kind() == "static");
        let all = children(node).into_iter().any(|n| n.kind() == "asterisk");
        let path = children(node).into_iter().find(|n| n.kind().ends_with("identifier"));
        let path: String = path.map_or("", |n| self.text(n)).split_whitespace().collect();
        let known = |name: &str| name == "java.lang" || ELSEWHERE.iter().any(|(package, _)| *package == name);
        let (from, name) = path.rsplit_once('.').unwrap_or(("", &path));
        let good = match all {
            true => known(&path),
            false => known(from) && package(name).is_none_or(|package| package == from),
        };
        if is_static || !good || !all && self.is_own(name) {
            let help = "import from java.util, java.util.concurrent and its packages, or java.io; what does \
                        something else, write as a class of your own with the methods that matter";
            self.refuse(node, format!("the import of `{path}` is not modelled"), help);
        }
        let given = if all { format!("{path}.*") } else { path };
        self.imported.insert(given);
    }

    /// A type is named: one of the library must be imported, and one of the program must not be
    /// hidden by one that is inherited.
    pub fn names_type(&mut self, node: Node<'t>, in_thread: bool) {
        let name = self.text(node);
        let hidden = in_thread && OF_THREAD.contains(&name) && self.is_own(name);
        if hidden {
            let message = format!("`{name}` means `Thread.{name}` in a subclass of Thread");
            return self.refuse(node, message, "rename the class of the program");
        }
        let Some(from) = package(name).filter(|from| *from != "java.lang") else { return };
        let ways = [format!("{from}.*"), format!("{from}.{name}")];
        if !ways.iter().any(|way| self.imported.contains(way)) {
            let message = format!("`{name}` is not imported");
            self.refuse(node, message, format!("write `import {from}.{name};`"));
        }
    }
}
