//! The folder: what is refused, what is left alone, what is removed.

use super::folder::OpenFolder;
use super::seal::{Identity, Sealed};
use crate::failure::Failure;
use crate::job::Interrupt;
use crate::model::Model;
use crate::question::{DiskStore, Question};
use explore::Options;
use explore::disk::{Folder, Trouble};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A place of its own for a test, removed at its end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("weave-disk-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn folder(&self) -> PathBuf {
        self.0.join("states")
    }

    fn names(&self) -> Vec<String> {
        let Ok(all) = fs::read_dir(self.folder()) else { return vec!["no folder".to_string()] };
        let mut names: Vec<String> =
            all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn identity(model: &str, raw: bool, keep_going: bool) -> Identity {
    let model = Model { fingerprint: model.to_string(), ..Model::default() };
    let options = Options { keep_going, ..Options::default() };
    Identity::of(&model, &Question { raw, ..Question::default() }, &options)
}

fn open_as(folder: &Path, identity: &Identity) -> Result<OpenFolder, String> {
    let store = DiskStore { folder: folder.to_path_buf(), every: Duration::ZERO };
    OpenFolder::open(&store, identity, &Interrupt::default()).map_err(|failure| match failure {
        Failure::File { message, .. } => message,
        other => panic!("{other:?}"),
    })
}

fn open(folder: &Path) -> Result<OpenFolder, String> {
    open_as(folder, &identity("a", false, false))
}

fn refused(folder: &Path) -> String {
    open(folder).err().expect("refused")
}

#[test]
fn a_folder_that_was_made_goes_and_one_that_was_there_stays() {
    let place = Place::new("made");
    let mut folder = open(&place.folder()).unwrap();
    folder.write(0, 0, b"states").unwrap();
    folder.commit(b"one").unwrap();
    drop(folder);
    let mut again = open(&place.folder()).unwrap();
    assert_eq!(again.checkpoint().unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(again.files().unwrap(), [0]);
    again.clear();
    assert_eq!(place.names(), ["no folder"]);

    fs::create_dir(place.folder()).unwrap();
    let mut folder = open(&place.folder()).unwrap();
    folder.write(7, 3, b"states").unwrap();
    folder.commit(b"two").unwrap();
    fs::write(place.folder().join("weave-07.states"), "mine").unwrap();
    fs::write(place.folder().join("notes"), "mine").unwrap();
    assert_eq!(folder.files().unwrap(), [7]);
    folder.clear();
    assert_eq!(place.names(), ["notes", "weave-07.states"]);
}

#[test]
fn folders_of_others_are_refused_and_stay() {
    let place = Place::new("others");
    fs::write(place.folder(), "a file").unwrap();
    assert_eq!(refused(&place.folder()), "is no folder");
    fs::remove_file(place.folder()).unwrap();
    assert!(refused(&place.0.join("no/where")).starts_with("cannot be made: no such file"));
    fs::create_dir(place.folder()).unwrap();
    for name in ["notes", "weave-1.states", "weave-checkpoint.new"] {
        let file = place.folder().join(name);
        fs::write(&file, "mine").unwrap();
        assert!(refused(&place.folder()).contains(&format!("files of others ({name})")), "{name}");
        assert_eq!(fs::read(&file).unwrap(), b"mine");
        fs::remove_file(&file).unwrap();
    }
    fs::write(place.folder().join("weave-checkpoint"), "mine").unwrap();
    assert!(
        refused(&place.folder()).contains("is damaged: it does not begin"),
        "{}",
        refused(&place.folder())
    );
    assert_eq!(place.names(), ["weave-checkpoint"]);
}

/// A crash before the first checkpoint leaves the beginning of one.
#[test]
fn a_checkpoint_that_was_begun_is_ours() {
    let place = Place::new("begun");
    fs::create_dir(place.folder()).unwrap();
    let whole = Sealed::default().bytes(&identity("a", false, false));
    for length in [0, 5, 40, whole.len()] {
        fs::write(place.folder().join("weave-checkpoint.new"), &whole[..length]).unwrap();
        assert_eq!(open(&place.folder()).unwrap().checkpoint().unwrap(), None);
    }
}

#[test]
fn another_search_is_refused() {
    let place = Place::new("other");
    let mine = identity("a", false, false);
    open(&place.folder()).unwrap().commit(b"body").unwrap();
    let cases = [
        (identity("b", false, false), "another model"),
        (identity("a", true, false), "other options"),
        (identity("a", false, true), "other options"),
    ];
    for (other, why) in cases {
        let message = open_as(&place.folder(), &other).err().expect("refused");
        assert!(message.contains(why) && message.contains("remove this one to begin anew"), "{message}");
    }
    assert!(open_as(&place.folder(), &mine).is_ok());
    // A search that was over, and whose files were not removed any more, is in no way.
    let done = Sealed { done: true, made: true, body: Vec::new() };
    fs::write(place.folder().join("weave-checkpoint"), done.bytes(&identity("b", false, false))).unwrap();
    fs::write(place.folder().join("weave-3.states"), "left").unwrap();
    assert_eq!(open_as(&place.folder(), &mine).unwrap().checkpoint().unwrap(), None);
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn two_searches_do_not_share_a_folder() {
    let place = Place::new("shared");
    let first = open(&place.folder()).unwrap();
    assert_eq!(refused(&place.folder()), "is in use by another weave");
    drop(first);
    assert!(open(&place.folder()).is_ok());
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let place = Place::new("damaged");
    open(&place.folder()).unwrap().commit(b"body of a checkpoint").unwrap();
    let path = place.folder().join("weave-checkpoint");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut other = whole.clone();
        other[at] ^= 0x10;
        fs::write(&path, &other).unwrap();
        assert!(refused(&place.folder()).contains("is damaged"));
        fs::write(&path, &whole[..at]).unwrap();
        assert!(refused(&place.folder()).contains("is damaged"));
    }
    fs::write(&path, &whole).unwrap();
    assert!(open(&place.folder()).is_ok());
}

#[test]
fn a_file_that_is_short_or_gone_is_damaged() {
    let place = Place::new("short");
    let mut folder = open(&place.folder()).unwrap();
    folder.write(4, 0, b"12345").unwrap();
    let mut six = [0; 6];
    let why = |found: Result<(), Trouble>| found.expect_err("damaged").to_string();
    assert_eq!(why(folder.read(4, 0, &mut six)), "weave-4.states is too short");
    assert_eq!(why(folder.read(5, 0, &mut six)), "weave-5.states is not there");
    folder.read(4, 1, &mut six[..4]).unwrap();
    assert_eq!(&six[..4], b"2345");
    assert!(folder.is_due());
}
