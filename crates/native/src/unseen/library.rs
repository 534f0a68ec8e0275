//! The table of library functions: which of those that a program uses are modelled, and which need
//! not be.
//!
//! A function of the C library is *modelled* if our library replaces it: then it says what it reads
//! and writes, and takes its turn where that matters. It is *listed* here if nothing that it does
//! depends on others: it computes, or accesses only what is the thread's own, or happens before
//! threads exist or after they have ended, or belongs to a synchronisation object that is modelled.
//! All others are *unlisted*.

use super::functions::demangled;
use super::modules::is_exempt;
use crate::launch::LIBRARY;
use object::elf::R_X86_64_COPY;
use object::{Object, ObjectSymbol, ObjectSymbolTable};
use object::{Relocation, RelocationFlags, RelocationTarget};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Computations and what is the thread's own; variables of the library.
const LISTED: &str = "
abort abs acos acosf acosh asin asinf asinh assert atan atan2 atan2f atanf atanh cbrt ceil ceilf copysign cos cosf cosh div erf exp exp2 expf expm1
fabs fabsf fdim floor floorf fma fmax fmaxf fmin fminf fmod fmodf hypot ilogb imaxabs imaxdiv labs ldexp ldiv llabs lldiv llrint
llround log log10 log1p log2 logb logf lrint lround nearbyint nextafter pow powf powl remainder rint round roundf scalbln scalbn sin sinf
sinh sqrt sqrtf sqrtl tan tanf tanh tgamma trunc truncf fabsl floorl ceill fmodl
isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii tolower toupper
iswalnum iswalpha iswdigit iswspace towlower towupper btowc wctob ffs ffsl ffsll htonl htons ntohl ntohs
__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location __h_errno_location __ctype_get_mb_cur_max
__isinf __isnan __isinff __isnanf __finite __fpclassify __signbit __isinfl __isnanl __signbitf __signbitl __fpclassifyf
stdin stdout stderr program_invocation_name program_invocation_short_name optarg optind opterr optopt
sys_siglist __progname __libc_single_threaded __stack_chk_guard __dso_handle _GLOBAL_OFFSET_TABLE_
__stack_chk_fail __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __cxa_finalize __tls_get_addr
_Unwind_Resume _Unwind_DeleteException _Unwind_Backtrace _Unwind_GetIP _Unwind_ForcedUnwind _Unwind_RaiseException _Unwind_GetLanguageSpecificData
_Unwind_GetRegionStart _Unwind_SetGR _Unwind_SetIP _Unwind_Resume_or_Rethrow _Unwind_GetCFA _Unwind_GetIPInfo
atexit __assert __assert_perror_fail
getpid gettid getuid geteuid getgid getegid getpagesize
get_nprocs get_nprocs_conf dlerror getauxval gnu_get_libc_version
sched_getcpu sched_get_priority_max sched_get_priority_min __sched_cpualloc __sched_cpufree
pthread_self pthread_equal pthread_exit
pthread_yield
thrd_current thrd_equal
__pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next __pthread_key_create
pthread_cleanup_push pthread_cleanup_pop _pthread_cleanup_push _pthread_cleanup_pop __pthread_cleanup_routine
__libc_current_sigrtmin __libc_current_sigrtmax
pclose sync posix_fallocate
fchdir fchmod fchown
splice tee vmsplice
eventfd_read eventfd_write mlockall munlockall
listen timerfd_settime timerfd_gettime inotify_add_watch
inotify_rm_watch dl_iterate_phdr
difftime
__libc_start_call_main __libc_init_first gnu_dev_makedev gnu_dev_major gnu_dev_minor
_Znwm _Znam _ZnwmSt11align_val_t _ZnamSt11align_val_t _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t
_ZSt9terminatev _ZSt4cout _ZSt4cerr _ZSt4clog _ZSt7nothrow _ZSt11__once_call _ZSt15__once_callable __once_proxy _ZSt17current_exceptionv
_ZNSolsEPFRSoS_E _ZNSolsEPFRSt8ios_baseS0_E _ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E
_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE _ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv
_ZSt15future_categoryv _ZNSt3_V216generic_categoryEv _ZNSt3_V215system_categoryEv
";

/// Parts of the runtime of C++ that are modelled by what they call, or access only what is given to
/// one thread.
const BEGINNINGS: &str = "
__tsan_ __cxa_ __gxx_personality __gcc_personality _ZTI _ZTV _ZTS _ZTH _ZTW _ZNSt6thread20hardware_concurrency _ZNSt6thread6_State _ZNSt18condition_variable
_ZNSt3_V222condition_variable_any _ZSt16__throw_ _ZSt17__throw_ _ZSt18__throw_ _ZSt19__throw_ _ZSt20__throw_ _ZSt21__throw_
_ZSt22__throw_ _ZSt23__throw_ _ZSt24__throw_ _ZSt25__throw_ _ZSt26__throw_ _ZSt28__throw_ _ZSt21__glibcxx_assert_fail _ZNSt9exception _ZNKSt9exception
_ZNSt13runtime_error _ZNKSt13runtime_error _ZNSt11logic_error _ZNKSt11logic_error _ZNSt12out_of_range _ZNSt16invalid_argument
_ZNSt12length_error _ZNSt12domain_error _ZNSt11range_error _ZNSt14overflow_error _ZNSt15underflow_error _ZNSt12system_error
_ZNSt9bad_alloc _ZNSt8bad_cast _ZNSt10bad_typeid _ZNSt12future_error _ZNSt13__future_base
_ZNSt14error_category _ZNKSt14error_category _ZNSt8ios_base4Init _ZNSt6chrono _ZNKSt8__detail20_Prime_rehash_policy _ZNSt8__detail
_ZNKSt8__detail _ZNSt4__pa _ZNSt10__atomic _ZNSt11this_thread _ZNSt16bad_array _ZNSt17bad_function_call _ZSt17__throw
_ZNSt6__norm _ZNSt28__atomic_futex_unsigned_base _ZNSt5mutex _ZNSt15recursive_mutex
_ZNKSt5ctypeIcE13_M_widen_init
";

/// Functions that the program, its libraries or its look-ups use and that are neither modelled nor
/// listed.
pub(crate) fn unlisted(modules: &[PathBuf], called: &BTreeSet<String>) -> Vec<String> {
    let own: Vec<Vec<u8>> =
        modules.iter().filter(|m| !is_exempt(m)).filter_map(|m| std::fs::read(m).ok()).collect();
    let variables: BTreeSet<String> = own.iter().flat_map(|bytes| copied(bytes)).collect();
    let mut known = names(LIBRARY, true);
    own.iter().for_each(|bytes| known.extend(names(bytes, true)));
    known.retain(|name| !variables.contains(name));
    known.extend(LISTED.split_whitespace().map(str::to_string));
    let used = own.iter().flat_map(|bytes| names(bytes, false)).chain(called.iter().cloned());
    let used = used.chain(variables);
    let begins = |name: &String| BEGINNINGS.split_whitespace().any(|b| name.starts_with(b));
    let all: BTreeSet<String> = used.filter(|name| !known.contains(name) && !begins(name)).collect();
    all.iter().map(|name| demangled(name)).collect()
}

/// The dynamic symbols of a file that it defines, or those that it needs.
fn names(bytes: &[u8], defined: bool) -> BTreeSet<String> {
    let Ok(file) = object::File::parse(bytes) else { return BTreeSet::new() };
    let wanted = |s: &object::Symbol<'_, '_>| s.is_undefined() != defined;
    let name = |s: object::Symbol<'_, '_>| s.name().ok().filter(|n| !n.is_empty()).map(plain);
    file.dynamic_symbols().filter(wanted).filter_map(name).collect()
}

/// The variables of libraries that lie in a program: its linker defines them there, and the loader
/// copies their first values.
fn copied(bytes: &[u8]) -> BTreeSet<String> {
    let Ok(file) = object::File::parse(bytes) else { return BTreeSet::new() };
    let Some(symbols) = file.dynamic_symbol_table() else { return BTreeSet::new() };
    let is_copy = |r: &Relocation| r.flags() == RelocationFlags::Elf { r_type: R_X86_64_COPY };
    let symbol = |(_, r): (u64, Relocation)| match r.target() {
        RelocationTarget::Symbol(index) if is_copy(&r) => symbols.symbol_by_index(index).ok(),
        _ => None,
    };
    let relocations = file.dynamic_relocations().into_iter().flatten();
    relocations.filter_map(symbol).filter_map(|s| s.name().ok().map(plain)).collect()
}

/// Without its version.
fn plain(name: &str) -> String {
    name.split('@').next().unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_replaced_or_listed_is_known() {
        let called = ["strlen", "sqrt", "lsearch"].map(str::to_string).into();
        assert_eq!(unlisted(&[], &called), ["lsearch"]);
    }

    #[test]
    fn no_function_is_both_replaced_and_listed() {
        let ours = names(LIBRARY, true);
        let both: Vec<&str> = LISTED.split_whitespace().filter(|name| ours.contains(*name)).collect();
        assert_eq!(both, Vec::<&str>::new());
    }
}
