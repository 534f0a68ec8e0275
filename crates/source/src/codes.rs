//! The table of diagnostic codes, from which `weave explain CODE` answers.

/// One diagnostic code and what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// `E` or `W` and four digits.
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// Why it is wrong, with an example and its repair.
    pub explanation: &'static str,
}

/// All codes of one language, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct CodeTable(pub &'static [Code]);

impl CodeTable {
    /// Finds a code; letter case does not matter.
    pub fn find(&self, code: &str) -> Option<&'static Code> {
        self.0.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
    }

    /// Everything wrong with the table itself: bad or unordered codes, missing explanations. Empty
    /// in a good table.
    pub fn faults(&self) -> Vec<String> {
        let malformed = self
            .0
            .iter()
            .filter(|entry| !is_well_formed(entry))
            .map(|entry| format!("{}: malformed", entry.code));
        let unordered = self.0.windows(2).filter(|pair| pair[0].code >= pair[1].code);
        malformed
            .chain(unordered.map(|pair| format!("{} does not follow {}", pair[1].code, pair[0].code)))
            .collect()
    }
}

fn is_well_formed(entry: &Code) -> bool {
    let (letter, digits) = entry.code.split_at(entry.code.len().min(1));
    matches!(letter, "E" | "W")
        && digits.len() == 4
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !entry.title.trim().is_empty()
        && entry.explanation.trim().len() > entry.title.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Code = Code { code: "E0001", title: "short", explanation: "a longer text" };

    #[test]
    fn finds_codes_in_any_case() {
        assert_eq!(CodeTable(&[GOOD]).find("e0001"), Some(&GOOD));
        assert_eq!(CodeTable(&[GOOD]).find("E0002"), None);
    }

    #[test]
    fn reports_faults() {
        const BAD: Code = Code { code: "X1", title: "", explanation: "" };
        assert!(CodeTable(&[GOOD]).faults().is_empty());
        assert_eq!(CodeTable(&[GOOD, GOOD]).faults(), ["E0001 does not follow E0001"]);
        assert_eq!(CodeTable(&[BAD]).faults(), ["X1: malformed"]);
    }
}
