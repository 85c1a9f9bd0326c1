//! How an element of a case is named: by its kind and number, and the uid of its row.

/// Names one element of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementRef {
    pub kind: ElementKind,
    pub id: u64,
    pub uid: Option<String>,
}

impl ElementRef {
    /// An element that its number alone names.
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
