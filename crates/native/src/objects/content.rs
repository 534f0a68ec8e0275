//! Calls on files and folders that are visible because threads race through them. What they do is
//! the kernel's; what they touch, the library tells.

use super::{By, Effect, Family, Model};
use crate::operation::{Class, Footprint, Key, Operation, Outcome};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// The file.
    pub name: u64,
    /// The system call.
    pub call: i64,
    pub touched: Footprint,
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        Key::new(Class::Content, self.name, 0)
    }

    fn name(&self) -> &'static str {
        name(self.call)
    }

    /// What a call touches may depend on when it is asked.
    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Content(o)
            if o.name == self.name && (o.call == self.call || o.touched == self.touched))
    }

    fn touches(&self, _: &Model, _: By<'_>, _: Outcome) -> Footprint {
        self.touched.clone()
    }

    fn perform(&self, _: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        Effect::default()
    }
}

/// A system call on a file.
fn name(call: i64) -> &'static str {
    match call {
        libc::SYS_read | libc::SYS_readv => "file read",
        libc::SYS_pread64 | libc::SYS_preadv | libc::SYS_preadv2 => "file pread",
        libc::SYS_write | libc::SYS_writev => "file write",
        libc::SYS_pwrite64 | libc::SYS_pwritev | libc::SYS_pwritev2 => "file pwrite",
        libc::SYS_lseek => "file seek",
        libc::SYS_sendfile | libc::SYS_copy_file_range => "file copy",
        libc::SYS_ftruncate | libc::SYS_truncate | libc::SYS_fallocate => "file truncate",
        libc::SYS_open | libc::SYS_openat | libc::SYS_creat => "file open",
        libc::SYS_unlink | libc::SYS_unlinkat | libc::SYS_rmdir => "file unlink",
        libc::SYS_rename | libc::SYS_renameat | libc::SYS_renameat2 => "file rename",
        libc::SYS_link | libc::SYS_linkat | libc::SYS_symlink | libc::SYS_symlinkat => "file link",
        libc::SYS_mkdir | libc::SYS_mkdirat => "mkdir",
        libc::SYS_getdents64 => "readdir",
        libc::SYS_chdir | libc::SYS_fchdir => "chdir",
        libc::SYS_stat | libc::SYS_lstat | libc::SYS_fstat | libc::SYS_newfstatat | libc::SYS_statx => {
            "file stat"
        }
        libc::SYS_access | libc::SYS_faccessat | libc::SYS_faccessat2 => "file access",
        libc::SYS_close => "close",
        libc::SYS_dup | libc::SYS_dup3 | libc::SYS_fcntl => "descriptor call",
        -1 => "library state",
        _ => "file call",
    }
}
