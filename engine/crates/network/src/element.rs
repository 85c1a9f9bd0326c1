//! References to elements of a case by kind and number, and by the uid of the row.

/// A reference to one element of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementRef {
    pub kind: ElementKind,
    pub id: u64,
    pub uid: Option<String>,
}

impl ElementRef {
    /// A reference by number alone.
    pub fn numbered(kind: ElementKind, id: u64) -> Self {
        let uid = None;
        Self { kind, id, uid }
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
}
