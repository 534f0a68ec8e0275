//! Variables by activity: a binary heap whose elements can rise.

#[derive(Default)]
pub(crate) struct Heap {
    heap: Vec<usize>,
    /// Where each variable stands in the heap, if it does.
    place: Vec<Option<usize>>,
    activity: Vec<f64>,
}

impl Heap {
    /// Variables up to `count` exist; new ones stand in the heap.
    pub(crate) fn grow(&mut self, count: usize) {
        for var in self.place.len()..count {
            self.place.push(None);
            self.activity.push(0.0);
            self.insert(var);
        }
    }

    pub fn insert(&mut self, var: usize) {
        if self.place[var].is_none() {
            self.place[var] = Some(self.heap.len());
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// The most active variable; among equals the first.
    pub fn pop(&mut self) -> Option<usize> {
        let top = *self.heap.first()?;
        self.place[top] = None;
        let last = self.heap.pop()?;
        if last != top {
            self.heap[0] = last;
            self.place[last] = Some(0);
            self.down(0);
        }
        Some(top)
    }

    /// Adds to the activity of a variable, and tells what it is now.
    pub fn raise(&mut self, var: usize, by: f64) -> f64 {
        self.activity[var] += by;
        if let Some(at) = self.place[var] {
            self.up(at);
        }
        self.activity[var]
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        self.activity.iter_mut().for_each(|a| *a *= factor);
    }

    fn before(&self, a: usize, b: usize) -> bool {
        self.activity[a] > self.activity[b] || (self.activity[a] == self.activity[b] && a < b)
    }

    fn up(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(self.heap[at], self.heap[parent]) {
                break;
            }
            self.swap(at, parent);
            at = parent;
        }
    }

    fn down(&mut self, mut at: usize) {
        loop {
            let children = [2 * at + 1, 2 * at + 2].into_iter().filter(|c| *c < self.heap.len());
            let best = children.reduce(|a, b| if self.before(self.heap[b], self.heap[a]) { b } else { a });
            match best {
                Some(child) if self.before(self.heap[child], self.heap[at]) => {
                    self.swap(at, child);
                    at = child;
                }
                _ => return,
            }
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.place[self.heap[a]] = Some(a);
        self.place[self.heap[b]] = Some(b);
    }
}
