//! The bytes of a pipe, kept in pages as Linux keeps them: a short write goes into the last page if
//! it fits there, everything else into new pages. So 16 pages may be full long before they hold
//! 65,536 bytes.

use std::collections::VecDeque;

const PAGE: usize = 4096;
const PAGES: usize = 16;
pub(super) const CAPACITY: usize = PAGE * PAGES;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Page {
    bytes: VecDeque<u8>,
    /// Where the next byte would go; what was read does not come free before the page is empty.
    end: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pipe {
    pages: VecDeque<Page>,
}

impl Pipe {
    pub(super) fn length(&self) -> usize {
        self.pages.iter().map(|page| page.bytes.len()).sum()
    }

    pub(super) fn is_full(&self) -> bool {
        self.pages.len() >= PAGES
    }

    /// How much of the beginning of a write goes into the last page. A write that goes on after
    /// waiting begins a new one.
    fn merged(&self, length: usize, goes_on: bool) -> usize {
        let odd = length % PAGE;
        let fits = self.pages.back().is_some_and(|last| last.end + odd <= PAGE);
        if fits && !goes_on { odd } else { 0 }
    }

    /// How much of a write of this length fits. At most a page: all or nothing.
    pub(super) fn room(&self, length: usize, goes_on: bool) -> usize {
        let merged = self.merged(length, goes_on);
        (merged + (PAGES - self.pages.len()) * PAGE).min(length)
    }

    pub(super) fn write(&mut self, data: &[u8], goes_on: bool) -> usize {
        let room = self.room(data.len(), goes_on);
        let (first, rest) = data[..room].split_at(self.merged(data.len(), goes_on).min(room));
        if let Some(last) = self.pages.back_mut() {
            last.bytes.extend(first);
            last.end += first.len();
        }
        for part in rest.chunks(PAGE) {
            self.pages.push_back(Page { bytes: part.iter().copied().collect(), end: part.len() });
        }
        room
    }

    pub(super) fn read(&mut self, most: usize) -> Vec<u8> {
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(page) = self.pages.front_mut()
        {
            let n = page.bytes.len().min(most - taken.len());
            taken.extend(page.bytes.drain(..n));
            if page.bytes.is_empty() {
                self.pages.pop_front();
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::fd::{FromRawFd, OwnedFd};

    fn kernel() -> (std::fs::File, std::fs::File) {
        let mut ends = [0; 2];
        // SAFETY: two descriptors are written into the array, and owned by nothing else.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_NONBLOCK | libc::O_CLOEXEC), 0);
            (OwnedFd::from_raw_fd(ends[0]).into(), OwnedFd::from_raw_fd(ends[1]).into())
        }
    }

    /// The kernel's own pipes, asked to do the same thing without waiting.
    #[test]
    fn pages_are_used_as_the_kernel_uses_them() {
        let mut random = logic::random::Random::new(7);
        let mut chance = |n: u64| random.below(n as usize) as u64;
        let (mut full, mut partial) = (0, 0);
        for _ in 0..60 {
            let (mut reader, mut writer) = kernel();
            let mut pipe = Pipe::default();
            let scale = [100, 3000, 9000, 70_000][chance(4) as usize];
            for step in 0..200 {
                let n = 1 + chance(scale) as usize;
                if chance(5) < 3 {
                    let data: Vec<u8> = (0..n).map(|i| (i * 31 + step) as u8).collect();
                    let expected = writer.write(&data).unwrap_or(0);
                    assert_eq!(pipe.room(n, false), expected, "a write of {n}");
                    assert_eq!(pipe.write(&data, false), expected);
                    full += u32::from(expected == 0);
                    partial += u32::from(expected > 0 && expected < n);
                } else {
                    let mut data = vec![0; n];
                    let got = reader.read(&mut data).unwrap_or(0);
                    assert_eq!(pipe.read(n), &data[..got]);
                }
            }
        }
        assert!(full > 50 && partial > 50, "too tame: {full} full, {partial} partial");
    }
}
