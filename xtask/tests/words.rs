//! Every text that a user can see is in the list that is committed: it was read.

use std::collections::HashSet;
use std::path::Path;
use xtask::words;

#[test]
fn every_text_is_in_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository");
    let texts = words::texts(root).expect("git lists the files");
    assert!(texts.values().map(Vec::len).sum::<usize>() > 1000, "the texts are not found");
    let now = words::written(&texts);
    let list = std::fs::read_to_string(root.join("xtask/words.txt")).expect("the list is there");
    let (committed, found): (HashSet<&str>, HashSet<&str>) = (list.lines().collect(), now.lines().collect());
    let new: Vec<&str> = now.lines().filter(|line| !committed.contains(line)).collect();
    let old: Vec<&str> = list.lines().filter(|line| !found.contains(line)).collect();
    assert!(
        new.is_empty() && old.is_empty(),
        "read these texts, then run `cargo xtask words` and commit the list\nnew:\n{}\nno longer there:\n{}",
        new.join("\n"),
        old.join("\n")
    );
}
