//! The way to a state of the last level: backwards through the log, a level at a time. The first
//! state of the level before that leads to the one at hand is its predecessor; which one that is
//! depends on the states alone.
//!
//! This expands the states before once more, half of them on average, so nothing need be kept with
//! each state.

use super::block::{Block, Place};
use super::folder::{End, Folder, Look, Trouble};
use super::log::{LOG, Level, Log};
use space::{Edges, Stepper};

/// The states on the way to one of the last level, an initial one first.
pub(super) fn path_to(
    state: &[u8],
    log: &Log,
    stepper: &mut impl Stepper,
    folder: &mut dyn Folder,
    look: Look<'_>,
) -> Result<Vec<Vec<u8>>, End> {
    let mut path = vec![state.to_vec()];
    let before = log.levels.len().saturating_sub(1);
    for level in log.levels[..before].iter().rev() {
        let target = path.last().map_or(&[][..], Vec::as_slice);
        path.push(predecessor(target, *level, stepper, folder, look)?);
    }
    path.reverse();
    Ok(path)
}

fn predecessor(
    target: &[u8],
    level: Level,
    stepper: &mut impl Stepper,
    folder: &mut dyn Folder,
    look: Look<'_>,
) -> Result<Vec<u8>, End> {
    let (mut block, mut edges) = (Block::default(), Edges::default());
    let mut at = level.start;
    while at < level.end {
        look()?;
        block.read(folder, Place { file: LOG, at }, level.end)?;
        for k in 0..block.count {
            edges.clear();
            stepper.expand(block.get(k), &mut edges);
            if edges.iter().any(|to| to == target) {
                return Ok(block.get(k).to_vec());
            }
        }
        at = block.end;
    }
    Err(Trouble::Damaged("no state of the level before leads to one that was found".to_string()).into())
}
