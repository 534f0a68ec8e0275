//! What a checkpoint begins with: that it is ours, and of which search. No search goes on from the
//! checkpoint of another model, with other options, or of another build of `weave`, whose packed
//! states may mean something else.

use super::damaged;
use crate::failure::Failure;
use crate::model::Model;
use crate::question::Question;
use explore::Options;
use explore::store::hash;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// The first bytes of a checkpoint; the number is that of the layout.
pub(super) const MAGIC: &[u8] = b"everyweave states on disk 1\n";

/// Of which search a checkpoint is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    build: String,
    options: String,
    model: String,
}

impl Identity {
    pub fn of(model: &Model, question: &Question, options: &Options) -> Identity {
        let Options { keep_going, deadlocks, assertions, faults, .. } = options;
        Identity {
            build: build().to_string(),
            options: format!(
                "raw {}, keep going {keep_going}, deadlocks {deadlocks}, assertions {assertions}, faults {faults}",
                question.raw
            ),
            model: model.fingerprint.clone(),
        }
    }

    fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.build, self.options, self.model)
    }

    /// How another one differs, in words.
    fn difference(&self, other: &str) -> Option<&'static str> {
        let mut lines = other.lines();
        let (build, options, model) = (lines.next(), lines.next(), lines.next());
        let differs = |mine: &str, theirs: Option<&str>| theirs != Some(mine);
        match () {
            () if differs(&self.build, build) => Some("another build of weave made it"),
            () if differs(&self.model, model) => Some("it is of another model, or of other definitions (-D)"),
            () if differs(&self.options, options) => {
                Some("it was made with other options (--raw, --keep-going, --property)")
            }
            () => None,
        }
    }
}

/// The version, and a hash of the program itself: a development version changes without a new
/// number.
fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| format!("{} {:016x}", env!("CARGO_PKG_VERSION"), of_program().unwrap_or_default()))
}

fn of_program() -> Option<u64> {
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    let (mut piece, mut all) = (vec![0; 1 << 20], 0);
    loop {
        let count = file.read(&mut piece).ok()?;
        if count == 0 {
            return Some(all);
        }
        let both = [hash(&piece[..count]), all].map(u64::to_le_bytes);
        all = hash(both.as_flattened());
    }
}

/// What a checkpoint says, sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sealed {
    /// The folder was made for it.
    pub made: bool,
    /// The search is over, and the files are about to be removed.
    pub done: bool,
    /// What the search wrote.
    pub body: Vec<u8>,
}

impl Sealed {
    pub fn bytes(&self, identity: &Identity) -> Vec<u8> {
        let text = identity.text();
        let mut all = MAGIC.to_vec();
        all.extend([self.made, self.done].map(u8::from));
        all.extend((text.len() as u64).to_le_bytes());
        all.extend(text.as_bytes());
        all.extend(&self.body);
        let checksum = hash(&all);
        all.extend(checksum.to_le_bytes());
        all
    }

    /// Opens what is sealed, if it is whole and of this search.
    pub fn open(bytes: &[u8], identity: &Identity, folder: &Path) -> Result<Sealed, Failure> {
        let whole = unsealed(bytes).ok_or_else(|| damaged(folder, "it is not what was written"))?;
        let (sealed, theirs) = whole;
        match identity.difference(&theirs) {
            None => Ok(sealed),
            Some(_) if sealed.done => Ok(sealed),
            Some(why) => Err(Failure::File {
                path: folder.to_path_buf(),
                message: format!(
                    "has the checkpoint of another search: {why}; name another folder, or remove this one to begin anew"
                ),
            }),
        }
    }
}

fn unsealed(bytes: &[u8]) -> Option<(Sealed, String)> {
    let (all, checksum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
    if hash(all).to_le_bytes() != checksum {
        return None;
    }
    let rest = all.strip_prefix(MAGIC)?;
    let (flags, rest) = rest.split_at_checked(2)?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (text, body) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let sealed = Sealed { made: flags[0] != 0, done: flags[1] != 0, body: body.to_vec() };
    Some((sealed, String::from_utf8(text.to_vec()).ok()?))
}
