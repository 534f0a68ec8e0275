//! Memory that is shared with a program, and files in memory that it inherits.

use super::checked;
use crate::protocol::Shared;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// The memory that is shared with the program.
pub(crate) struct Mapping {
    memory: *const Shared,
    pub(super) file: OwnedFd,
}

// SAFETY: the memory is only accessed through atomics.
#[allow(unsafe_code, reason = "see above")]
unsafe impl Send for Mapping {}

impl Mapping {
    pub(crate) fn shared(&self) -> &Shared {
        // SAFETY: mapped with this size for as long as `self` lives; all fields are atomics, so any
        // content is valid.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            &*self.memory
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped in `memory_file`, and no reference is left.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            libc::munmap(self.memory as *mut _, size_of::<Shared>());
        }
    }
}

/// A file in memory that programs inherit.
pub(crate) fn memory_file(name: &str) -> io::Result<OwnedFd> {
    let name = CString::new(name)?;
    // SAFETY: the name is a C string; the result is checked and owned by nothing else.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        Ok(OwnedFd::from_raw_fd(checked(libc::memfd_create(name.as_ptr(), libc::MFD_ALLOW_SEALING))?))
    }
}

pub(super) fn mapping() -> io::Result<Mapping> {
    let file = memory_file("weave")?;
    let size = size_of::<Shared>();
    // SAFETY: a new file of this size, mapped whole; the result is checked.
    #[allow(unsafe_code, reason = "see above")]
    let memory = unsafe {
        checked(libc::ftruncate(file.as_raw_fd(), size as i64))?;
        // A program that cuts it off would take us with it.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        checked(libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals))?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED, file.as_raw_fd(), 0)
    };
    if memory == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(Mapping { memory: memory.cast(), file })
}
