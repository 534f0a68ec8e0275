//! How waits may end besides: by themselves, or by an interruption. Both are left out unless they
//! are allowed.
//!
//! A thread that wakes up by itself leaves the set of waiters first and takes its lock again later,
//! as one that is notified does. One that is interrupted does the same and throws; where it sleeps
//! or joins, or before it waits, it throws at once. Both may happen at any time and need not happen
//! ever: they are no progress, and a deadlock is one although they could end it.

use crate::draft::{Draft, SELF};
use crate::flow::Label;
use crate::lower::Lower;
use structures::formula as f;
use tree_sitter::Node;

/// What may happen besides what the text says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// A thread in `wait` may wake up without being notified.
    pub spurious: bool,
    /// A thread that waits or sleeps may be interrupted.
    pub interrupts: bool,
}

const WORDS: [&str; 2] = ["spurious-wakeups", "interrupts"];

impl Reading {
    /// The names of what is allowed.
    pub fn words(self) -> Vec<&'static str> {
        let given = WORDS.into_iter().zip([self.spurious, self.interrupts]);
        given.filter(|(_, given)| *given).map(|(word, _)| word).collect()
    }

    /// Takes such names off the beginning of a text.
    pub fn parse(text: &str) -> (Reading, &str) {
        let (mut found, mut rest) = ([false; 2], text);
        for (n, word) in WORDS.into_iter().enumerate() {
            if let Some(after) = rest.strip_prefix(word).and_then(|r| r.strip_prefix("; ")) {
                (found[n], rest) = (true, after);
            }
        }
        (Reading { spurious: found[0], interrupts: found[1] }, rest)
    }

    /// What is relied on, if something waits for notifications, and if something can be
    /// interrupted.
    pub fn assumed(self, sleeps: bool, interruptible: bool) -> Vec<String> {
        let spurious =
            "waits end only when they are notified (--spurious-wakeups: they may end by themselves)";
        let interrupts =
            "no thread is interrupted (--interrupts: any may be, where it waits, sleeps or joins)";
        let all = [(sleeps && !self.spurious, spurious), (interruptible && !self.interrupts, interrupts)];
        all.into_iter().filter(|(so, _)| *so).map(|(_, words)| words.to_string()).collect()
    }
}

impl<'t> Lower<'t> {
    /// Who waits may cease to, without a notification.
    pub fn spurious(&mut self, node: Node<'t>, asleep: Label) {
        self.sleeps = true;
        if self.reading.spurious {
            let draft = self.gets_up("by itself", node);
            self.flow.add(draft, asleep, asleep);
        }
    }

    /// Leaves the set of waiters.
    fn gets_up(&mut self, how: &str, node: Node<'t>) -> Draft {
        let waiting = self.symbol("waiting", 1, &[]);
        let mut draft = self.draft(node);
        draft.action.name = format!("wakes up {how}: {}", draft.action.name);
        draft.action.idle = true;
        draft.when(f::atom(waiting, &[SELF]));
        let w = draft.fresh();
        draft.update(waiting, &[w], f::and([f::atom(waiting, &[w]), f::differ(w, SELF)]));
        draft
    }

    /// What blocks here may throw an `InterruptedException`: at once, or after it has got up and,
    /// by the step given, taken its lock again. Where it wants that lock.
    pub fn interruption(
        &mut self,
        again: Option<(Draft, Label)>,
        node: Node<'t>,
        at: Label,
    ) -> Option<Label> {
        self.interruptible = true;
        if !self.reading.interrupts {
            return None;
        }
        let (mut throws, from) = match again {
            None => (self.draft(node), at),
            Some((takes, asleep)) => {
                let up = self.label(node);
                let draft = self.gets_up("because it is interrupted", node);
                self.flow.add(draft, asleep, up);
                (takes, up)
            }
        };
        throws.action.idle = from == at;
        throws.action.name = self.draft(node).action.name;
        self.throws(throws, from, ("InterruptedException", "InterruptedException"), node);
        (from != at).then_some(from)
    }
}
