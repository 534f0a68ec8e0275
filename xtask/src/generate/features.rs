//! The constructs that can be switched on and off, so that a difference can be narrowed down.

/// One table: name, on by default, what it stands for.
macro_rules! features {
    ($($variant:ident $name:literal $default:literal $meaning:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Feature { $(#[doc = $meaning] $variant,)* }

        impl Feature {
            pub const ALL: &[Feature] = &[$(Feature::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name,)* }
            }

            fn by_default(self) -> bool {
                match self { $(Feature::$variant => $default,)* }
            }
        }
    };
}

features! {
    Arrays "arrays" true "arrays of scalars",
    Records "records" true "typedef records, nested, with arrays, also as messages",
    Mtypes "mtypes" true "mtype variables and members",
    NamedMtypes "named-mtypes" true "mtype:name",
    Wide "wide" true "short and int variables, negative values",
    Unsigned "unsigned" true "unsigned x : n",
    Truncation "truncation" true "constants too big for what they are assigned to",
    Hidden "hidden" true "hidden variables, only written",
    Macros "macros" true "#define of constants and conditions",
    Inlines "inlines" true "inline sequences",
    Buffered "buffered" true "channels with a buffer",
    Rendezvous "rendezvous" true "channels without one",
    ChannelArrays "channel-arrays" true "arrays of channels",
    ChannelParameters "channel-parameters" true "channels as parameters",
    ChannelMessages "channel-messages" true "channels sent over channels, channel variables",
    LocalChannels "local-channels" true "channels declared in a proctype",
    Sorted "sorted" true "c!!e",
    Random "random" true "c??x",
    Copy "copy" true "`c?<x>`",
    Poll "poll" true "`c?[x]`",
    Eval "eval" true "c?eval(e)",
    Probes "probes" true "len, empty, nempty, full, nfull",
    Run "run" true "run of proctypes, by init and by others",
    Dynamic "dynamic" true "processes created in loops, pids reused",
    Population "population" true "_nr_pr, which SPIN counts the claim in",
    Provided "provided" true "provided clauses",
    Atomic "atomic" true "atomic sequences that may block and hand over",
    DStep "d_step" true "d_step sequences that block at most at their start",
    Unless "unless" true "unless, nested too",
    For "for" true "for loops",
    Select "select" true "select",
    Goto "goto" true "labels and goto",
    EndLabels "end-labels" true "end labels",
    Timeout "timeout" true "timeout",
    ElseIo "else-io" true "else beside sends and receives",
    Assert "assert" true "assertions",
    Printf "printf" true "printf",
    BlockDeclarations "block-declarations" true "declarations inside blocks, which become statements",
    Conditional "conditional" true "(c -> a : b)",
    Remote "remote" true "`P[i]@label` and `P[i]:variable`",
    Exclusive "exclusive" true "xr and xs that hold",
    Aliases "aliases" false "many `chan` variables that change, and are copied from",
    Priorities "priorities" false "priorities of processes",
    Internals "internals" false "enabled, pc_value, _last",
    OddLabels "odd-labels" false "labels on the first statement of an option",
    DStepBlock "d_step-block" false "d_step sequences that block inside: pan stops there",
    FalseExclusive "false-exclusive" false "xr and xs that do not hold",
    Escapes "escapes" false "channels of a process sent in messages",
    OddTimeouts "odd-timeouts" false "timeout inside of conditions",
    OutOfBounds "out-of-bounds" false "array indices that may be out of bounds",
}

/// A set of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features(u64);

impl Default for Features {
    fn default() -> Features {
        Features::of(Feature::ALL.iter().copied().filter(|feature| feature.by_default()))
    }
}

impl Features {
    pub fn of(features: impl IntoIterator<Item = Feature>) -> Features {
        Features(features.into_iter().fold(0, |set, feature| set | 1 << feature as u64))
    }

    pub fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u64 != 0
    }

    /// Reads `-unless,+priorities` (changes to the default) or `only,atomic,run` (nothing but
    /// these).
    pub fn parse(text: &str) -> Result<Features, String> {
        let mut set = Features::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            if word == "only" {
                set = Features(0);
                continue;
            }
            let (off, name) = match word.strip_prefix('-') {
                Some(name) => (true, name),
                None => (false, word.strip_prefix('+').unwrap_or(word)),
            };
            let feature = Feature::ALL.iter().find(|feature| feature.name() == name);
            let bit = 1 << *feature.ok_or_else(|| format!("no feature is called {name}"))? as u64;
            set.0 = if off { set.0 & !bit } else { set.0 | bit };
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_to_the_default_and_lists_from_nothing() {
        let set = Features::parse("-unless,+priorities").unwrap();
        assert!(!set.has(Feature::Unless) && set.has(Feature::Priorities) && set.has(Feature::Atomic));
        let set = Features::parse("only,atomic").unwrap();
        assert!(set.has(Feature::Atomic) && !set.has(Feature::Run));
        assert!(Features::parse("+nonsense").is_err());
    }
}
