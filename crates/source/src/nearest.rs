//! The name that was probably meant: the nearest one by insertions, deletions and changes
//! (Levenshtein, 1966), if it is near at all.

/// Longer names are not compared.
const LONGEST: usize = 40;

/// The nearest of some names, unless more than a third of it is different.
///
/// ```
/// assert_eq!(source::nearest("cuont", ["ready", "count"].into_iter()), Some("count"));
/// assert_eq!(source::nearest("x", ["ready", "count"].into_iter()), None);
/// ```
pub fn nearest<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distances = among.map(|other| (distance(name, other), other));
    distances.filter(|(distance, other)| *distance * 3 <= other.len().max(3)).min().map(|(_, other)| other)
}

/// How many letters must be inserted, deleted, changed, or exchanged with the next one.
fn distance(a: &str, b: &str) -> usize {
    if a.len().max(b.len()) > LONGEST {
        return usize::MAX / 4;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
