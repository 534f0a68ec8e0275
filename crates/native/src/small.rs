//! Maps and sets with few members: a sorted vector.
//!
//! The state of a program's objects is copied at every state of a search, and has a dozen small
//! tables. A tree would allocate a node for eleven members to hold one; here a copy is one
//! allocation, none if it is empty. The names are those of the standard library's ordered ones.

use std::slice;

/// An ordered map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map<K, V>(Vec<(K, V)>);

/// An ordered set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<T>(Map<T, ()>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map(Vec::new())
    }
}

impl<T> Default for Set<T> {
    fn default() -> Set<T> {
        Set(Map::default())
    }
}

/// The place of a key in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut Map<K, V>,
    key: K,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let Entry { map: Map(pairs), key } = self;
        let at = pairs.binary_search_by(|(k, _)| k.cmp(&key)).unwrap_or_else(|at| {
            pairs.insert(at, (key, value()));
            at
        });
        &mut pairs[at].1
    }

    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

type Pair<'a, K, V> = fn(&'a (K, V)) -> (&'a K, &'a V);

impl<K: Ord, V> Map<K, V> {
    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(k, _)| k.cmp(key))
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.place(key).ok().map(|at| &mut self.0[at].1)
    }

    pub fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// What was there before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }

    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(k, v)| keep(k, v));
    }

    pub fn iter(&self) -> std::iter::Map<slice::Iter<'_, (K, V)>, Pair<'_, K, V>> {
        self.0.iter().map(|(k, v)| (k, v))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(k, _)| k)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, v)| v)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, v)| v)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(k, v)| (&*k, v))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a, K: Ord, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::iter::Map<slice::Iter<'a, (K, V)>, Pair<'a, K, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(key, value)| {
            self.insert(key, value);
        });
    }
}

impl<T: Ord> Set<T> {
    pub fn contains(&self, member: &T) -> bool {
        self.0.contains_key(member)
    }

    /// Whether it is new.
    pub fn insert(&mut self, member: T) -> bool {
        self.0.insert(member, ()).is_none()
    }

    /// Whether it was there.
    pub fn remove(&mut self, member: &T) -> bool {
        self.0.remove(member).is_some()
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|member, ()| keep(member));
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.0.keys()
    }

    pub fn clear(&mut self) {
        self.0.0.clear();
    }
}

impl<T: Ord> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        members.into_iter().for_each(|member| {
            self.insert(member);
        });
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Set<T> {
        let mut set = Set::default();
        set.extend(members);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Set};
    use std::collections::{BTreeMap, BTreeSet};

    /// Numbers that look random, always the same.
    fn numbers() -> impl Iterator<Item = u32> {
        std::iter::successors(Some(1u32), |n| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)))
            .map(|n| n >> 8)
    }

    #[test]
    fn a_map_is_like_the_standard_one() {
        let (mut ours, mut known) = (Map::default(), BTreeMap::new());
        for n in numbers().take(4000) {
            let (key, value) = (n % 17, n / 17);
            match n % 6 {
                0 | 1 => assert_eq!(ours.insert(key, value), known.insert(key, value)),
                2 => assert_eq!(ours.remove(&key), known.remove(&key)),
                3 => assert_eq!(ours.entry(key).or_default(), known.entry(key).or_default()),
                4 => {
                    ours.retain(|k, v| *k != key || *v % 2 == 0);
                    known.retain(|k, v| *k != key || *v % 2 == 0);
                }
                _ => ours.get_mut(&key).into_iter().chain(known.get_mut(&key)).for_each(|v| *v += 1),
            }
            assert_eq!(ours.get(&key), known.get(&key));
            assert!(ours.iter().eq(known.iter()), "{ours:?} {known:?}");
            assert!(ours.keys().eq(known.keys()) && ours.values().rev().eq(known.values().rev()));
        }
    }

    #[test]
    fn a_set_is_like_the_standard_one() {
        let (mut ours, mut known) = (Set::default(), BTreeSet::new());
        for n in numbers().take(4000) {
            let member = n % 19;
            match n % 3 {
                0 => assert_eq!(ours.remove(&member), known.remove(&member)),
                _ => assert_eq!(ours.insert(member), known.insert(member)),
            }
            assert_eq!(ours.contains(&(n % 7)), known.contains(&(n % 7)));
            assert!(ours.iter().eq(known.iter()));
        }
    }
}
