//! Fairness: what a run that goes on without end owes to those who take part in it.

/// How much a requirement demands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fairness {
    /// Nothing.
    #[default]
    None,
    /// What is asked for from some time on without a break is met again and again (justice).
    Weak,
    /// What is asked for again and again is met again and again (compassion).
    Strong,
}

/// One requirement: the edges of a stepper ask for it and meet it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// What it is called in messages.
    pub name: String,
    /// How much it demands.
    pub strength: Fairness,
}
