//! What the code of a program refers to and never changes, and which processes used which channels.

use crate::code::{Op, PatternCode};
use crate::layout::{ChannelLayout, Layout};
use system::{Location, Pid, System};

/// Which processes have sent to and received from each channel.
#[derive(Clone, Debug, Default)]
pub struct Uses(Vec<[u64; 4]>);

impl Uses {
    pub fn of(channels: usize) -> Uses {
        Uses(vec![[0; 4]; 2 * channels])
    }

    pub fn note(&mut self, channel: usize, sends: bool, pid: Pid) {
        self.0[2 * channel + usize::from(sends)][pid / 64] |= 1 << (pid % 64);
    }

    /// With what another has seen.
    pub fn unite(&mut self, other: &Uses) {
        let words = self.0.iter_mut().flatten().zip(other.0.iter().flatten());
        words.for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// All uses, as words.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.0.iter().flatten().copied()
    }

    /// With those that other words say.
    pub fn recall(&mut self, words: &[u64]) {
        self.0.iter_mut().flatten().zip(words).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// The uses seen: channel, whether it was sending, process.
    pub fn iter(&self) -> impl Iterator<Item = (usize, bool, Pid)> {
        let all = (0..self.0.len()).flat_map(|k| (0..256).map(move |pid| (k, pid)));
        let seen = all.filter(|(k, pid)| self.0[*k][pid / 64] >> (pid % 64) & 1 == 1);
        seen.map(|(k, pid)| (k / 2, k % 2 == 1, pid))
    }
}

/// What all code of a program shares and never changes.
#[derive(Clone)]
pub struct Tables {
    pub layout: Layout,
    pub code: Vec<Op>,
    pub patterns: Vec<PatternCode>,
    /// All channel layouts: globals first, then those of each process type.
    pub channels: Vec<ChannelLayout>,
    /// By process type: the index of its first channel in `channels`.
    pub first_channel: Vec<usize>,
    /// By process type: the code of its creation.
    pub creations: Vec<u32>,
    /// By process type and point: whether it is a progress point.
    pub progress: Vec<Vec<bool>>,
    /// By process type and point: whether it is an accept point.
    pub accept: Vec<Vec<bool>>,
    /// By process type: its entry point.
    pub entries: Vec<usize>,
}

impl Tables {
    pub fn of(system: &System, layout: Layout) -> Tables {
        let mut channels = layout.globals.channels.clone();
        let mut first_channel = Vec::new();
        for frame in &layout.frames {
            first_channel.push(channels.len());
            channels.extend(frame.channels.iter().cloned());
        }
        let points = |is: fn(&Location) -> bool| -> Vec<Vec<bool>> {
            system.process_types.iter().map(|t| t.points.iter().map(is).collect()).collect()
        };
        Tables {
            channels,
            first_channel,
            progress: points(|p| p.progress),
            accept: points(|p| p.accept),
            entries: system.process_types.iter().map(|t| t.entry).collect(),
            code: Vec::new(),
            patterns: Vec::new(),
            creations: Vec::new(),
            layout,
        }
    }
}
