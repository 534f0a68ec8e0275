//! Hostile programs: `weave run` answers within its limits and leaves nothing behind, whatever they
//! do.

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const HEAD: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <sys/mman.h>\n#include <sys/shm.h>\n#include <sys/wait.h>\n#include <fcntl.h>\n#include <unistd.h>\n\
    #include <alloca.h>\n#include <dirent.h>\n#include <mqueue.h>\n#include <sched.h>\n#include <sys/mount.h>\n#include <sys/msg.h>\n\
    #include <sys/prctl.h>\n#include <sys/ptrace.h>\n#include <sys/resource.h>\n#include <sys/sem.h>\n#include <sys/syscall.h>\n";

/// A test for each program: its name, its body, the verdicts that are true of it.
macro_rules! hostile {
    ($($name:ident, $body:literal, [$($verdict:literal),+];)+) => {
        $(#[test]
        fn $name() {
            contained(stringify!($name), $body, &[$($verdict),+]);
        })+
    };
}

hostile! {
    bomb,
    "int main(void) { for (;;) fork(); }",
    ["unknown"];

    session,
    "int main(void) { if (fork() == 0) { setsid(); volatile int n = 0; for (;;) n++; } return 0; }",
    ["violated"];

    massacre,
    "int main(void) { fork(); kill(-1, SIGKILL); return 0; }",
    ["unknown", "violated"];

    closed,
    "int main(void) { for (int i = 0; i < 1024; i++) close(i); fork(); return 0; }",
    ["holds"];

    eater,
    "int main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) abort(); memset(p, 1, 1 << 20); } }",
    ["unknown"];

    talker,
    "int main(void) { for (;;) puts(\"on and on\"); }",
    ["violated", "unknown"];

    sleeper,
    "int main(void) { sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, 0); pause(); return 0; }",
    ["violated"];

    deep_sleeper,
    "int main(void) { sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, 0); syscall(SYS_pause); return 0; }",
    ["unknown"];

    other,
    "int main(void) { char *words[] = {\"sleep\", \"1000\", 0}; execvp(\"sleep\", words); return 1; }",
    ["unknown"];

    litter,
    "int main(void) { shmget(77, 4096, IPC_CREAT | 0600); return shm_open(\"/weave-litter\", O_CREAT | O_RDWR, 0600) < 0; }",
    ["holds"];

    overflow,
    "static int deep(int n) { volatile char a[4096]; a[0] = (char)n; return n ? deep(n + 1) + a[0] : 0; }\
        int main(void) { return deep(1); }",
    ["violated"];

    scribbler,
    "int main(void) { FILE *maps = fopen(\"/proc/self/maps\", \"r\"); char line[512]; fork();\
        while (fgets(line, sizeof line, maps)) { unsigned long a, b; if (strstr(line, \"memfd:weave\") && sscanf(line, \"%lx-%lx\", &a, &b) == 2)\
        for (volatile char *p = (char *)a; p < (char *)b; p++) *p = (char)0xa5; } fork(); for (;;) fork(); }",
    ["unknown", "violated", "holds"];

    daemon,
    "int main(void){ if (fork()) return 0; setsid(); if (fork()) _exit(0); chdir(\"/\"); for(int i=0;i<1024;i++) close(i); volatile int n=0; for(;;) n++; }",
    ["violated"];

    stopself,
    "int main(void){ if(fork()==0){ raise(SIGSTOP); _exit(0);} wait(0); return 0; }",
    ["unknown"];

    stopsibling,
    "int main(void){ pid_t a=fork(); if(!a){ sigset_t s; sigemptyset(&s); int x; sigaddset(&s,SIGUSR1); sigwait(&s,&x); _exit(0);} kill(a,SIGSTOP); wait(0); return 0; }",
    ["unknown"];

    rawstop,
    "int main(void){ if(fork()==0){ __asm__ volatile(\"syscall\"::\"a\"(62),\"D\"(getpid()),\"S\"(19):\"rcx\",\"r11\",\"memory\"); _exit(0);} wait(0); return 0; }",
    ["unknown"];

    stopparent,
    "int main(void){ __asm__ volatile(\"syscall\"::\"a\"(62),\"D\"(getppid()),\"S\"(19):\"rcx\",\"r11\",\"memory\"); syscall(SYS_kill,1,SIGKILL); fork(); return 0; }",
    ["unknown"];

    unmap,
    "int main(void){ FILE*m=fopen(\"/proc/self/maps\",\"r\"); char l[512]; while(fgets(l,512,m)){unsigned long a,b; if(strstr(l,\"memfd:weave\")&&sscanf(l,\"%lx-%lx\",&a,&b)==2) munmap((void*)a,b-a);} fork(); return 0; }",
    ["violated", "unknown"];

    protect,
    "int main(void){ fork(); FILE*m=fopen(\"/proc/self/maps\",\"r\"); char l[512]; while(fgets(l,512,m)){unsigned long a,b; if(strstr(l,\"memfd:weave\")&&sscanf(l,\"%lx-%lx\",&a,&b)==2) mprotect((void*)a,b-a,PROT_NONE);} fork(); return 0; }",
    ["violated", "unknown"];

    truncate,
    "int main(void){ DIR*d=opendir(\"/proc/self/fd\"); struct dirent*e; while((e=readdir(d))){ int fd=atoi(e->d_name); if(fd>2) ftruncate(fd,0), close(fd);} fork(); return 0; }",
    ["holds", "unknown", "violated"];

    truncmap,
    "int main(void){ DIR*d=opendir(\"/proc/self/map_files\"); struct dirent*e; char p[400]; while(d&&(e=readdir(d))){ snprintf(p,400,\"/proc/self/map_files/%s\",e->d_name); int fd=open(p,O_RDWR); if(fd>=0) ftruncate(fd,0), close(fd);} fork(); return 0; }",
    ["holds", "unknown"];

    scribbleorder,
    "int main(void){ FILE*m=fopen(\"/proc/self/maps\",\"r\"); char l[512]; while(fgets(l,512,m)){unsigned long a,b; if(strstr(l,\"memfd:weave\")&&sscanf(l,\"%lx-%lx\",&a,&b)==2&&b-a>1000000) for(;;) for(unsigned i=0;i<64;i++) ((volatile unsigned*)a)[i]=rand();} return 0; }",
    ["unknown", "violated"];

    masks,
    "static void*f(void*x){ return x; } int main(void){ sigset_t s; sigfillset(&s); for(int i=1;i<65;i++) signal(i,SIG_IGN); __asm__ volatile(\"syscall\"::\"a\"(14),\"D\"(2),\"S\"(&s),\"d\"(0):\"rcx\",\"r11\",\"memory\"); pthread_t t; pthread_create(&t,0,f,0); pthread_join(t,0); FILE*p=popen(\"true\",\"r\"); return 0; }",
    ["unknown"];

    tracer,
    "int main(void){ pid_t c=fork(); if(!c){ for(;;) pause(); } ptrace(PTRACE_ATTACH,c,0,0); ptrace(PTRACE_SEIZE,getppid(),0,0); ptrace(PTRACE_ATTACH,1,0,0); waitpid(c,0,0); return 0; }",
    ["unknown"];

    traceme,
    "int main(void){ ptrace(PTRACE_TRACEME,0,0,0); raise(SIGUSR1); fork(); return 0; }",
    ["unknown"];

    selfexec,
    "int main(int c,char**v){ if(fork()==0) execv(\"/proc/self/exe\",v); execv(\"/proc/self/exe\",v); return 1; }",
    ["unknown"];

    talkboth,
    "int main(void){ static char b[1<<20]; memset(b,120,sizeof b); for(;;){ write(1,b,sizeof b); write(2,b,sizeof b);} }",
    ["violated", "unknown"];

    hugestack,
    "int main(void){ struct rlimit r={RLIM_INFINITY,RLIM_INFINITY}; setrlimit(RLIMIT_STACK,&r); volatile char*a=alloca(1<<30); a[0]=1; return a[0]; }",
    ["unknown"];

    hugethread,
    "static void*f(void*x){ volatile char a[64<<20]; memset((void*)a,1,sizeof a); return x; } int main(void){ pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a,128<<20); for(int i=0;i<20;i++){ pthread_t t; if(pthread_create(&t,&a,f,0)) return 3; } pthread_exit(0); }",
    ["unknown", "holds", "violated"];

    atexitabort,
    "static void bad(void){ abort(); } int main(void){ atexit(bad); fork(); return 0; }",
    ["violated"];

    prctls,
    "int main(void){ prctl(PR_SET_DUMPABLE,0); prctl(PR_SET_NAME,\"hidden\"); prctl(PR_SET_PDEATHSIG,0); prctl(PR_SET_CHILD_SUBREAPER,1); if(!fork()){ if(!fork()){ sleep(1000); volatile int n=0; for(;;) n++; } _exit(0);} wait(0); return 0; }",
    ["violated", "unknown"];

    unshare,
    "int main(void){ unshare(CLONE_NEWPID|CLONE_NEWNS|CLONE_NEWUSER); chroot(\"/tmp\"); mount(\"none\",\"/tmp\",\"tmpfs\",0,0); if(!fork()){ volatile int n=0; for(;;) n++; } return 0; }",
    ["unknown"];

    devshm,
    "int main(void){ DIR*d=opendir(\"/dev/shm\"); struct dirent*e; while(d&&(e=readdir(d))) unlinkat(dirfd(d),e->d_name,0); rmdir(\"/dev/shm\"); umount2(\"/dev/shm\",MNT_DETACH); umount2(\"/tmp\",MNT_DETACH); int f=open(\"/tmp/weave-escaped\",O_CREAT|O_RDWR,0600); fork(); return 0; }",
    ["unknown"];

    ipclitter,
    "int main(void){ for(int i=0;i<20;i++){ shmget(100+i,4096,IPC_CREAT|0600); msgget(100+i,IPC_CREAT|0600); semget(100+i,2,IPC_CREAT|0600);} syscall(SYS_semget,999,3,IPC_CREAT|0600); syscall(SYS_msgget,999,IPC_CREAT|0600); mq_open(\"/weave-litter\",O_CREAT|O_RDWR,0600,0); return 0; }",
    ["unknown"];

    threadbomb,
    "static void*f(void*x){ pthread_t t; for(;;) if(pthread_create(&t,0,f,0)) return 0; } int main(void){ f(0); return 0; }",
    ["unknown"];

    sigbomb,
    "static void h(int s){ kill(getpid(),SIGUSR1); } int main(void){ struct sigaction a={.sa_handler=h,.sa_flags=SA_NODEFER}; sigaction(SIGUSR1,&a,0); kill(getpid(),SIGUSR1); return 0; }",
    ["unknown"];

    timerbomb,
    "static void h(int s){} int main(void){ signal(SIGALRM,h); for(;;) alarm(1); }",
    ["unknown"];

    nicer,
    "int main(void){ struct sched_param p={50}; sched_setscheduler(0,SCHED_FIFO,&p); setpriority(PRIO_PROCESS,0,-20); cpu_set_t c; CPU_ZERO(&c); CPU_SET(1,&c); sched_setaffinity(0,sizeof c,&c); fork(); return 0; }",
    ["holds"];

    filefill,
    "int main(void){ static char b[1<<20]; for(int i=0;;i++){ char n[64]; snprintf(n,64,\"/tmp/f%d\",i); int f=open(n,O_CREAT|O_WRONLY,0600); if(f<0) return 1; for(int j=0;j<64;j++) if(write(f,b,sizeof b)<0) return 2; } }",
    ["holds", "unknown"];

    procmem,
    "int main(void){ char p[64]; for(int i=1;i<50;i++){ snprintf(p,64,\"/proc/%d/mem\",i); int f=open(p,O_RDWR); if(f>=0) close(f);} syscall(SYS_process_vm_writev,1,0,0,0,0,0); fork(); return 0; }",
    ["unknown"];
}

/// The answer. It hangs if it computes for minutes, or does not come for long: how fast this
/// machine is does not matter.
fn answer(arguments: &[&str]) -> support::Answer {
    let child = Command::new(env!("CARGO_BIN_EXE_weave"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = child.id();
    // Its output is read while it runs: it waits where a pipe is full.
    let reader = std::thread::spawn(move || child.wait_with_output().unwrap());
    let begun = Instant::now();
    while !reader.is_finished() {
        let late = begun.elapsed() > Duration::from_secs(1800);
        if support::spent(pid) > Duration::from_secs(240) || late {
            Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = reader.join().unwrap();
    support::Answer {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Processes by this name, of which the kernel keeps fifteen letters.
fn processes(name: &str) -> usize {
    let name = &name[..name.len().min(15)];
    let all = std::fs::read_dir("/proc").unwrap().filter_map(|e| e.ok());
    let named = |e: &std::fs::DirEntry| {
        std::fs::read_to_string(e.path().join("comm")).is_ok_and(|c| c.trim() == name)
    };
    all.filter(named).count()
}

/// No process by this name is left. The kernel may take a moment to end those that it was asked to
/// kill.
fn gone(name: &str) -> bool {
    let begun = Instant::now();
    while processes(name) > 0 {
        if begun.elapsed() > Duration::from_secs(60) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// The verdict. A machine that was too slow for a true one gets more time.
fn judged(program: &str, verdicts: &[&str]) -> (String, support::Answer) {
    let options = ["--divergence", "500ms", "--max-memory", "300M", "--depth", "200", program];
    let mut last = None;
    for limit in ["10s", "100s", "1000s"] {
        let answer = answer(&[&["run", "--json", "--timeout", limit], &options[..]].concat());
        let result = support::result(&answer);
        let verdict = result["verdict"].as_str().unwrap_or("none").to_string();
        let slow = result["reason"].as_str().is_some_and(|r| r.starts_with("time limit"))
            && !verdicts.contains(&verdict.as_str());
        last = Some((verdict, answer));
        if !slow {
            break;
        }
    }
    last.unwrap()
}

/// The program gets a true verdict, and nothing of it is left behind.
fn contained(name: &str, body: &str, verdicts: &[&str]) {
    let folder = support::Folder::new(&format!("torture-{name}"));
    let program = folder.path(&format!("wv-{name}"));
    let source = folder.write(&format!("{name}.c"), &format!("{HEAD}{body}\n"));
    let built =
        Command::new("cc").args(["-w", "-O1", "-pthread", "-o", &program, &source, "-lrt"]).status().unwrap();
    assert!(built.success(), "{name}");
    let (verdict, answer) = judged(&program, verdicts);
    assert!(verdicts.contains(&verdict.as_str()), "{verdict}, {}", support::result(&answer)["reason"]);
    assert!(gone(&format!("wv-{name}")), "processes are left");
    for left in ["/dev/shm/weave-litter", "/dev/mqueue/weave-litter", "/tmp/weave-escaped"] {
        assert!(!std::path::Path::new(left).exists(), "{left} is left");
    }
    // The keys that `ipclitter` and `litter` use.
    for kind in ["shm", "sem", "msg"] {
        let all = std::fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
        let mut keys = all.lines().filter_map(|l| l.split_whitespace().next()?.parse::<i64>().ok());
        let ours = |key| (100..120).contains(&key) || key == 999 || key == 77;
        assert!(!keys.any(ours), "System V {kind} is left");
    }
}

/// What a run leaves in folders for all is gone before the next, and never seen outside.
#[test]
fn files_of_a_run_are_its_own() {
    let folder = support::Folder::new("torture-files");
    let program = folder.path("wv-files");
    let body = "int main(void) { struct stat s; mkdir(\"/tmp/weave-d\", 0700); if (!stat(\"/tmp/weave-d/f\", &s)) abort();\
        close(open(\"/tmp/weave-d/f\", O_CREAT | O_RDWR, 0600)); if (fork() == 0) _exit(0);\
        pthread_mutex_t *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); pthread_mutex_lock(m); return 0; }";
    let source = folder.write("files.c", &format!("{HEAD}#include <sys/stat.h>\n{body}\n"));
    let built = Command::new("cc").args(["-w", "-pthread", "-o", &program, &source]).status().unwrap();
    assert!(built.success());
    let answer = answer(&["run", "--json", "--keep-going", "--reduction", "none", &program]);
    let result = support::result(&answer);
    assert_eq!(result["verdict"], "holds", "{result}");
    assert!(!std::path::Path::new("/tmp/weave-d").exists(), "a folder is left");
}

/// Root on a machine without namespaces (here: in one that allows no more of them) has to say that
/// the program is trusted.
#[test]
fn root_without_namespaces_is_refused() {
    let folder = support::Folder::new("torture-root");
    let program = folder.path("wv-trusted");
    let source = folder.write("trusted.c", "int main(void) { return 0; }\n");
    assert!(Command::new("cc").args(["-o", &program, &source]).status().unwrap().success());
    let weave = env!("CARGO_BIN_EXE_weave");
    let run = |more: &str| {
        let line = format!("echo 0 > /proc/sys/user/max_user_namespaces && {weave} run {more} {program}");
        let output = Command::new("unshare").args(["-Ur", "sh", "-c", &line]).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, words) = run("");
    assert!(code != Some(0) && words.contains("--trust"), "{code:?} {words}");
    let (code, words) = run("--trust");
    assert_eq!(code, Some(0), "{words}");
}
