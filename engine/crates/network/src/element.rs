//! References to elements of a case by kind and number, and by the uid of the row.

/// A reference to one element of a case, or to its limit after an outage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementRef {
    pub kind: ElementKind,
    pub id: u64,
    /// For an interface, its name.
    pub uid: Option<String>,
    /// What is out of service where a limit after an outage is meant.
    pub outage: Option<Box<OutageIds>>,
}

/// Elements that are out of service together, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutageIds {
    pub branches: Vec<u64>,
    pub generators: Vec<u64>,
}

impl ElementRef {
    pub fn new(kind: ElementKind, id: u64, uid: Option<String>) -> Self {
        Self {
            kind,
            id,
            uid,
            outage: None,
        }
    }

    /// A reference by number alone.
    pub fn numbered(kind: ElementKind, id: u64) -> Self {
        Self::new(kind, id, None)
    }

    /// An interface by its place in the list of interfaces.
    pub fn interface(place: usize, name: String) -> Self {
        Self::new(ElementKind::Interface, place as u64 + 1, Some(name))
    }

    /// The element after an outage; before any if nothing is out of service.
    pub fn after(self, outage: OutageIds) -> Self {
        Self {
            outage: (outage != OutageIds::default()).then(|| Box::new(outage)),
            ..self
        }
    }

    /// The ids of the elements out of service; empty before outages.
    pub fn outage(&self) -> OutageIds {
        self.outage.as_deref().cloned().unwrap_or_default()
    }
}

impl OutageIds {
    /// Branches first.
    pub fn elements(&self) -> Vec<ElementRef> {
        let branches = self.branches.iter().map(|&id| (ElementKind::Branch, id));
        let generators = self.generators.iter().map(|&id| (ElementKind::Generator, id));
        let both = branches.chain(generators);
        both.map(|(kind, id)| ElementRef::numbered(kind, id)).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    Bus,
    Branch,
    Generator,
    Switch,
    Storage,
    Hvdc,
    Transformer3w,
    /// Several branches whose flows have a limit together, counted from 1.
    Interface,
}
