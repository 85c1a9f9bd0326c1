//! References to elements of a case by kind and number, and by the uid of the row.

/// A reference to one element of a case, or to its limit after an outage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementRef {
    pub kind: ElementKind,
    pub id: u64,
    /// For an interface, its name.
    pub uid: Option<String>,
    /// Ids of the branches after whose outage the element is meant; empty before outages.
    pub outage: Box<[u64]>,
}

impl ElementRef {
    pub fn new(kind: ElementKind, id: u64, uid: Option<String>) -> Self {
        Self {
            kind,
            id,
            uid,
            outage: Box::default(),
        }
    }

    /// A reference by number alone.
    pub fn numbered(kind: ElementKind, id: u64) -> Self {
        Self::new(kind, id, None)
    }

    /// The element after the outage of branches, by their ids.
    pub fn after(self, outage: Vec<u64>) -> Self {
        Self {
            outage: outage.into(),
            ..self
        }
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
