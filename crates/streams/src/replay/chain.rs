//! Values in an order that grows in the middle too, each at a place of its own that stays.

/// What stands before the first and after the last.
const END: usize = usize::MAX;

/// Values in order. A place is never given out twice.
#[derive(Debug, Clone)]
pub(super) struct Chain<T> {
    links: Vec<Link<T>>,
    first: usize,
    last: usize,
}

#[derive(Debug, Clone)]
struct Link<T> {
    /// Nothing once it was removed.
    value: Option<T>,
    before: usize,
    after: usize,
}

impl<T> Default for Chain<T> {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            first: END,
            last: END,
        }
    }
}

impl<T> Chain<T> {
    /// The value at a place.
    pub fn get(&self, place: usize) -> Option<&T> {
        self.links.get(place)?.value.as_ref()
    }

    /// The value at a place, to change.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        self.links.get_mut(place)?.value.as_mut()
    }

    /// The place after this one.
    pub fn after(&self, place: usize) -> Option<usize> {
        let after = self.links.get(place)?.after;
        (after != END).then_some(after)
    }

    /// Adds a value at the end and tells its place.
    pub fn push(&mut self, value: T) -> usize {
        self.insert(self.last, END, value)
    }

    /// Adds a value after the one at this place and tells its place.
    pub fn insert_after(&mut self, place: usize, value: T) -> usize {
        let after = self.links.get(place).map_or(END, |link| link.after);
        self.insert(place, after, value)
    }

    fn insert(&mut self, before: usize, after: usize, value: T) -> usize {
        let place = self.links.len();
        self.links.push(Link {
            value: Some(value),
            before,
            after,
        });
        self.join(before, place);
        self.join(place, after);
        place
    }

    /// Removes the value at a place.
    pub fn remove(&mut self, place: usize) -> Option<T> {
        let link = self.links.get_mut(place)?;
        let value = link.value.take()?;
        let (before, after) = (link.before, link.after);
        self.join(before, after);
        Some(value)
    }

    /// Lets two places follow each other.
    fn join(&mut self, before: usize, after: usize) {
        match self.links.get_mut(before) {
            Some(link) => link.after = after,
            None => self.first = after,
        }
        match self.links.get_mut(after) {
            Some(link) => link.before = before,
            None => self.last = before,
        }
    }

    /// The places in order.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        let first = (self.first != END).then_some(self.first);
        std::iter::successors(first, |place| self.after(*place))
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.places().filter_map(|place| self.get(place))
    }

    /// The values in order, taken out.
    pub fn into_values(mut self) -> Vec<T> {
        let places: Vec<_> = self.places().collect();
        let taken = |place: usize| self.links.get_mut(place)?.value.take();
        places.into_iter().filter_map(taken).collect()
    }
}
