//! Memory that functions of the C library access for a program is seen: for each of them, and each
//! argument that points to memory, one use that races (`call_memory.inc`). Every function that is
//! replaced or listed is used there, or stands here with a reason.

#[path = "support/calls.rs"]
mod calls;

use calls::{file, run, uses};
use explore::stateless::Kind;
use native::compile::build;
use native::launch::LIBRARY;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

const MEMORY: &str = "tests/call_memory.inc";
const NUMBERS: &str = "tests/call_numbers.inc";

#[test]
fn every_use_races() {
    let built = build(&file("tests/call_memory.c"), &[]).unwrap().unwrap();
    let uses = uses(MEMORY);
    assert!(uses.len() > 500);
    let missed = |(number, function): &&(usize, String)| {
        let found = run(&built, *number);
        // A spin lock that is overwritten is unlocked without having been locked: that ends the run
        // first.
        let unlocks = function == "pthread_spin_unlock";
        let seen = |kind: Kind| kind == Kind::Race || unlocks && kind == Kind::Misuse;
        let seen = found.report.violations.iter().any(|v| seen(v.failure.kind));
        !seen && found.uncontrolled.is_empty() && found.trouble.is_none()
    };
    let missed: Vec<&(usize, String)> = uses.iter().filter(missed).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// A descriptor may be closed before a call that is given it.
#[test]
fn every_call_may_come_too_late() {
    let built = build(&file("tests/call_numbers.c"), &[]).unwrap().unwrap();
    let uses = uses(NUMBERS);
    assert!(uses.len() > 60);
    let missed = |(number, _): &&(usize, String)| {
        let found = run(&built, *number);
        let seen = found.report.violations.iter().any(|v| v.failure.kind == Kind::Assertion);
        !seen && found.uncontrolled.is_empty() && found.trouble.is_none()
    };
    let missed: Vec<&(usize, String)> = uses.iter().filter(missed).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// Functions that no use is needed of.
const EXEMPT: &[(&str, &str)] = &[
    (
        "no argument points to memory of the program, but to code at most",
        "_exit _Exit _Fork fork vfork exit quick_exit abort alarm arc4random at_quick_exit __cxa_atexit on_exit atexit
         __cxa_at_quick_exit __register_atfork pthread_atfork raise kill killpg tgkill sigqueue pthread_kill pthread_sigqueue
         siginterrupt signal bsd_signal ssignal sysv_signal __sysv_signal pause sleep usleep ualarm sched_yield thrd_yield clearenv clock close close_range closefrom dup dup2
         dup3 daemon drand48 lrand48 mrand48 rand random srand srand48 srandom epoll_create epoll_create1 eventfd eventfd_write
         flock fcntl64 ftruncate ftruncate64 lseek lseek64 lockf lockf64 getpgid getpgrp getsid setpgid setsid getpriority
         setpriority nice getpwuid getgrgid inotify_init inotify_init1 isatty localeconv strerror strsignal malloc calloc memalign
         aligned_alloc mmap mmap64 mq_close mq_notify msgget semget shmget shmat msync mlock munlock posix_madvise mlockall
         munlockall pthread_cancel pthread_detach pthread_exit pthread_getconcurrency pthread_setconcurrency pthread_key_delete
         pthread_setschedprio pthread_testcancel pthread_self pthread_equal pthread_yield pthread_getspecific pthread_setspecific
         putchar getchar sched_getscheduler setns unshare shutdown socket sysconf thrd_detach thrd_exit thrd_current thrd_equal
         timer_delete timer_getoverrun timerfd_create tss_delete tss_get tss_set tzset umask listen fsync fdatasync sync syncfs
         posix_fadvise posix_fadvise64 fallocate fallocate64 posix_fallocate sync_file_range tcdrain sbrk
         valloc pvalloc fchdir fchmod fchown tmpfile tmpfile64 getpid getppid gettid
         getuid geteuid getgid getegid getpagesize get_nprocs get_nprocs_conf getauxval gnu_get_libc_version sched_getcpu
         sched_get_priority_max sched_get_priority_min __sched_cpualloc __sched_cpufree __libc_current_sigrtmin
         __libc_current_sigrtmax difftime gnu_dev_makedev gnu_dev_major gnu_dev_minor dlclose dlerror dl_iterate_phdr",
    ),
    (
        "computes, or is a variable",
        "abs acos acosf acosh asin asinf asinh assert atan atan2 atan2f atanf atanh cbrt ceil ceilf copysign cos cosf cosh div erf exp
         exp2 expf expm1 fabs fabsf fdim floor floorf fma fmax fmaxf fmin fminf fmod fmodf hypot ilogb imaxabs imaxdiv labs ldexp
         ldiv llabs lldiv llrint llround log log10 log1p log2 logb logf lrint lround nearbyint nextafter pow powf powl remainder
         rint round roundf scalbln scalbn sin sinf sinh sqrt sqrtf sqrtl tan tanf tanh tgamma trunc truncf fabsl floorl ceill fmodl
         isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii tolower
         toupper iswalnum iswalpha iswdigit iswspace towlower towupper btowc wctob ffs ffsl ffsll htonl htons ntohl ntohs
         __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location __h_errno_location __ctype_get_mb_cur_max __isinf
         __isnan __isinff __isnanf __finite __fpclassify __signbit __isinfl __isnanl __signbitf __signbitl __fpclassifyf stdin stdout
         stderr program_invocation_name program_invocation_short_name optarg optind opterr optopt sys_siglist __progname
         __libc_single_threaded
         __stack_chk_guard __dso_handle _GLOBAL_OFFSET_TABLE_",
    ),
    (
        "belongs to the runtime of the language, and accesses what is the thread's own",
        "__stack_chk_fail __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __cxa_finalize __tls_get_addr
         __assert __assert_fail __assert_perror_fail __pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next
         __pthread_key_create pthread_cleanup_push pthread_cleanup_pop _pthread_cleanup_push _pthread_cleanup_pop
         __pthread_cleanup_routine __libc_start_call_main __libc_init_first __libc_start_main __once_proxy",
    ),
    (
        "makes the verdict unknown, or ends the run",
        "accept accept4 aio_read aio_write lio_listio clone execl execlp execv execve execvp execvpe fexecve system popen pclose
         posix_spawn posix_spawnp process_vm_readv process_vm_writev ptrace setxattr lsetxattr fsetxattr signalfd splice tee vmsplice
         timerfd_settime timerfd_gettime inotify_add_watch inotify_rm_watch vfwprintf",
    ),
    (
        "the same function by another name, or its body",
        "_IO_getc _IO_putc __fgets_chk __fprintf_chk __fread_chk __fxstat __fxstat64 __xstat __xstat64 __lxstat __lxstat64 __getdelim
         __isoc23_fscanf __isoc23_scanf __isoc23_sscanf __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull
         __isoc99_scanf __isoc99_vfscanf __mq_open_2 __open64_2 __open_2 __overflow __uflow __poll_chk __printf_chk __vfprintf_chk
         __vprintf_chk __read_chk creat64 __longjmp_chk _longjmp siglongjmp setjmp putc_unlocked getc_unlocked syscall",
    ),
    (
        "a lock that is modelled by its address alone, or only asked for its number",
        "flockfile ftrylockfile funlockfile fileno fileno_unlocked",
    ),
];

#[test]
fn every_function_is_used_or_needs_no_use() {
    let library = object::File::parse(LIBRARY).unwrap();
    let defined = library.dynamic_symbols().filter(|s| !s.is_undefined());
    let mut known: BTreeSet<String> = defined.filter_map(|s| Some(s.name().ok()?.to_string())).collect();
    let source = std::fs::read_to_string(file("src/unseen/library.rs")).unwrap();
    let listed = source.split("const LISTED: &str = \"").nth(1).unwrap().split('"').next().unwrap();
    known.extend(listed.split_whitespace().map(str::to_string));
    // Of C++, of the instrumentation, of weave.h, and of the linker.
    known.retain(|n| {
        !["_Z", "__tsan_", "weave_", "_Unwind_", "__cxa_guard_", "__start_", "__stop_"]
            .iter()
            .any(|b| n.starts_with(b))
    });
    let mut reported: BTreeSet<String> = uses(MEMORY).into_iter().map(|(_, function)| function).collect();
    for (_, names) in EXEMPT {
        for name in names.split_whitespace() {
            assert!(reported.insert(name.to_string()), "{name} is used, or stands here twice");
        }
    }
    assert_eq!(known.difference(&reported).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// Functions with a pointer that is only compared or handed on, or to what is written only if a
/// signal comes: what it points to is not accessed.
const HANDED_ON: &str = "dladdr dlsym mincore pthread_attr_setstack pthread_create qsort_r thrd_create
    clock_nanosleep nanosleep";

/// How many pointers to memory a function is given, by its declaration in the headers.
fn pointers(headers: &str, function: &str) -> Option<usize> {
    let call = format!("{function} (");
    let declares = |statement: &&str| {
        statement.contains("extern ") && statement.match_indices(&call).any(|(at, _)| !is_word(statement, at))
    };
    let found = headers.split(';').find(declares)?;
    let at = found.match_indices(&call).find(|(at, _)| !is_word(found, *at))?.0;
    let mut depth = 0;
    let mut arguments = vec![String::new()];
    for c in found[at + function.len() + 1..].chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => arguments.push(String::new()),
            c => arguments.last_mut()?.push(c),
        }
    }
    let is_code = |a: &str| a.replace(' ', "").trim_start_matches('(').contains("(*");
    let points = |a: &&String| (a.contains('*') || a.contains('[')) && !is_code(a);
    Some(arguments.iter().filter(points).count())
}

/// Whether what stands at a place is the rest of a longer word.
fn is_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// One use for each pointer that a function is given.
#[test]
fn every_pointer_of_a_function_is_used() {
    let read = std::process::Command::new("cc").args(["-E", "-P"]).arg(file("tests/call_memory.c")).output();
    let headers = String::from_utf8(read.unwrap().stdout).unwrap().replace('\n', " ");
    let all: Vec<String> = uses(MEMORY).into_iter().map(|(_, function)| function).collect();
    let mut counted = 0;
    for function in all.iter().collect::<BTreeSet<_>>() {
        let Some(pointers) = pointers(&headers, function) else { continue };
        counted += 1;
        let used = all.iter().filter(|f| *f == function).count();
        let enough = used + usize::from(HANDED_ON.split_whitespace().any(|f| f == function)) >= pointers;
        assert!(enough, "{function} has {pointers} pointers and {used} uses");
    }
    assert!(counted > 200, "{counted} declarations found");
}
