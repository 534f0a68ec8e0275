//! Functions that POSIX does not require to be safe for threads: two calls in no order are a race,
//! or unknown (`thread_unsafe.inc`), or the function is not modelled, so that a program that uses
//! it never holds, or the C library makes it safe.

#[path = "support/calls.rs"]
mod calls;

use calls::{file, run, uses};
use explore::stateless::Kind;
use native::compile::build;
use native::launch::LIBRARY;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

const LIST: &str = "tests/thread_unsafe.inc";

/// POSIX.1-2017, 2.9.1.
const POSIX: &str = "
asctime basename catgets crypt ctime dbm_clearerr dbm_close dbm_delete dbm_error dbm_fetch dbm_firstkey dbm_nextkey
dbm_open dbm_store dirname dlerror drand48 encrypt endgrent endpwent endutxent ftw getc_unlocked getchar_unlocked
getdate getenv getgrent getgrgid getgrnam gethostent getlogin getnetbyaddr getnetbyname getnetent getopt
getprotobyname getprotobynumber getprotoent getpwent getpwnam getpwuid getservbyname getservbyport getservent
getutxent getutxid getutxline gmtime hcreate hdestroy hsearch inet_ntoa l64a lgamma lgammaf lgammal localeconv
localtime lrand48 mrand48 nftw nl_langinfo ptsname putc_unlocked putchar_unlocked putenv pututxline rand readdir
setenv setgrent setkey setlocale setpwent setutxent strerror strsignal strtok system ttyname unsetenv wcstombs wctomb";

/// What glibc does about them.
const SAFE: &[(&str, &str)] = &[
    ("a lock: the order of calls is explored", "rand"),
    ("a place for each thread", "dlerror strerror strsignal"),
    ("no state in the encodings that programs have here", "wcstombs"),
];

#[test]
fn two_calls_race() {
    let built = build(&file("tests/thread_unsafe.c"), &["-w".to_string()]).unwrap().unwrap();
    let missed = |(number, _): &&(usize, String)| {
        let found = run(&built, *number);
        let seen = found.report.violations.iter().any(|v| v.failure.kind == Kind::Race);
        !seen && found.uncontrolled.is_empty() && found.trouble.is_none()
    };
    let uses = uses(LIST);
    let missed: Vec<&(usize, String)> = uses.iter().filter(missed).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn every_function_of_the_list_is_accounted_for() {
    let library = object::File::parse(LIBRARY).unwrap();
    let defined = library.dynamic_symbols().filter(|s| !s.is_undefined());
    let mut ours: BTreeSet<String> = defined.filter_map(|s| Some(s.name().ok()?.to_string())).collect();
    let source = std::fs::read_to_string(file("src/unseen/library.rs")).unwrap();
    let listed = source.split("const LISTED: &str = \"").nth(1).unwrap().split('"').next().unwrap();
    ours.extend(listed.split_whitespace().map(str::to_string));
    let mut known: BTreeSet<String> = uses(LIST).into_iter().map(|(_, function)| function).collect();
    known.extend(SAFE.iter().flat_map(|(_, names)| names.split_whitespace()).map(str::to_string));
    let missing: Vec<&str> =
        POSIX.split_whitespace().filter(|f| ours.contains(*f) && !known.contains(*f)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}
