//! What is loaded into a process, and which libraries need no instrumentation.

use std::path::{Path, PathBuf};

/// The C library and what belongs to it, the runtime libraries of C and C++, and ours. Their
/// functions are replaced where they are operations that others see, and otherwise access the
/// memory that they are given.
const EXEMPT: [&str; 19] = [
    "libc.so",
    "libc-",
    "ld-linux",
    "ld-musl",
    "libpthread",
    "librt.so",
    "librt-",
    "libdl.so",
    "libdl-",
    "libm.so",
    "libm-",
    "libmvec",
    "libstdc++",
    "libc++",
    "libgcc_s",
    "libnss_",
    "libresolv",
    "libweave",
    "libutil",
];

pub(super) fn is_exempt(module: &Path) -> bool {
    let name = module.file_name().unwrap_or_default().to_string_lossy();
    EXEMPT.iter().any(|known| name.starts_with(known))
        || module.components().any(|c| c.as_os_str() == "gconv")
}

/// What a module is called, for people.
pub(super) fn label(module: &Path) -> String {
    module.file_name().unwrap_or(module.as_os_str()).to_string_lossy().into_owned()
}

/// The files whose code is mapped into a process; none if that cannot be found out.
pub(crate) fn mapped(pid: i32) -> Option<Vec<PathBuf>> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    let mut all: Vec<PathBuf> = maps.lines().filter_map(code_file).collect();
    all.sort();
    all.dedup();
    Some(all)
}

/// The file of a line like `7f00-7f10 r-xp 00000000 08:01 77 /usr/lib/libx.so`, if it has code.
fn code_file(line: &str) -> Option<PathBuf> {
    let mut words = line.splitn(6, ' ');
    let rights = words.nth(1)?;
    let path = words.nth(3)?.trim();
    (rights.contains('x') && path.starts_with('/') && !path.starts_with("/memfd:")).then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let code = "7f00-7f10 r-xp 00000000 08:01 77                  /usr/lib/my libx.so.1";
        assert_eq!(code_file(code), Some("/usr/lib/my libx.so.1".into()));
        assert_eq!(code_file("7f00-7f10 r--p 00000000 08:01 77   /usr/lib/libx.so"), None);
        assert_eq!(code_file("7f00-7f10 r-xp 00000000 00:00 0      [vdso]"), None);
        assert!(is_exempt(Path::new("/lib/x86_64-linux-gnu/libc.so.6")));
        assert!(!is_exempt(Path::new("/lib/libatomic.so.1")) && !is_exempt(Path::new("/lib/libgomp.so.1")));
    }
}
