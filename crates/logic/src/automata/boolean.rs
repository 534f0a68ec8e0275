//! Labels as boolean functions: conjunction, disjunction, negation of disjunctions of cubes.

use super::{Cube, Label};

impl Cube {
    /// `None` if the two contradict each other.
    fn and(self, other: Cube) -> Option<Cube> {
        let both =
            Cube { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }

    fn implies(self, other: Cube) -> bool {
        self.positive & other.positive == other.positive && self.negative & other.negative == other.negative
    }

    /// The cubes of one literal each whose disjunction is the negation.
    fn negated_literals(self) -> impl Iterator<Item = Cube> {
        let bits = |word: u64| (0..64).map(|b| 1 << b).filter(move |bit| word & bit != 0);
        let negated = bits(self.positive).map(|negative| Cube { positive: 0, negative });
        negated.chain(bits(self.negative).map(|positive| Cube { positive, negative: 0 }))
    }
}

impl Label {
    /// The letters that satisfy both labels.
    pub fn and(&self, other: &Label) -> Label {
        let pairs = self.cubes.iter().flat_map(|a| other.cubes.iter().filter_map(|b| a.and(*b)));
        Label { cubes: pairs.collect() }.without_implied()
    }

    /// The letters that satisfy one label or the other.
    pub fn or(&self, other: &Label) -> Label {
        Label { cubes: self.cubes.iter().chain(&other.cubes).copied().collect() }.without_implied()
    }

    /// The letters that do not satisfy the label.
    pub fn negated(&self) -> Label {
        let negations = self.cubes.iter().map(|cube| Label { cubes: cube.negated_literals().collect() });
        negations.fold(Label::truth(), |all, one| all.and(&one))
    }

    /// Without cubes that imply another one.
    fn without_implied(mut self) -> Label {
        self.cubes.sort_unstable();
        self.cubes.dedup();
        let all = self.cubes.clone();
        self.cubes.retain(|cube| !all.iter().any(|other| other != cube && cube.implies(*other)));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All labels of up to two cubes over three propositions, against truth tables.
    #[test]
    fn operations_are_those_of_truth_tables() {
        let cubes = (0..8u64).flat_map(|p| (0..8u64).map(move |n| Cube { positive: p, negative: n }));
        let cubes: Vec<Cube> = cubes.filter(|c| c.positive & c.negative == 0).collect();
        let pairs = cubes.iter().flat_map(|a| cubes.iter().map(move |b| Label { cubes: vec![*a, *b] }));
        let labels: Vec<Label> = pairs.step_by(7).chain([Label::default(), Label::truth()]).collect();
        for a in &labels {
            for letter in 0..8 {
                assert_eq!(a.negated().holds(letter), !a.holds(letter), "{a:?}");
            }
            for b in &labels {
                for letter in 0..8 {
                    assert_eq!(a.and(b).holds(letter), a.holds(letter) && b.holds(letter), "{a:?} {b:?}");
                    assert_eq!(a.or(b).holds(letter), a.holds(letter) || b.holds(letter), "{a:?} {b:?}");
                }
            }
        }
    }
}
