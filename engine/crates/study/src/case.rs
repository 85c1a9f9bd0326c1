//! Cases that are open: a network that was read once, shared by every formulation, Study and screening of it.

use crate::contract as c;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::network_from_module;
use wattbook_network::sha256::sha256_hex;
use wattbook_network::AddedElements;
use wattbook_solve::dc::Orders;

/// A case as it was read, the same for all formulations.
#[derive(Debug)]
pub struct Case {
    pub(crate) network: Arc<AnalysisNetwork>,
    pub(crate) keys: Arc<Keys>,
    /// SHA-256 of the module text: the identity of the case.
    pub(crate) sha256: String,
    /// The case before values of `network` were edited, with the elements that edits add; the case as it was read where there are none.
    pub(crate) original: Option<Arc<Case>>,
    /// Diagnostics of edits: islands that they cut off, and costs that they assume.
    pub(crate) remarks: Vec<c::Diagnostic>,
    /// Edited limits of the interfaces of options.
    pub(crate) interfaces: c::InterfaceEdits,
    /// Orders of elimination, shared with the cases that edits make of this one.
    pub(crate) orders: Arc<Orders>,
    /// The case with further elements that was made last, as long as it is in use.
    pub(crate) extended: Mutex<Option<(AddedElements, Weak<Case>)>>,
}

impl Case {
    /// Reads a module, unless that case is open already.
    ///
    /// Errors: `MODULE.*`, `INPUT.*`, `PHYSICS.UNSUPPORTED`.
    pub fn read(module_json: &str) -> Result<Arc<Self>> {
        let sha256 = sha256_hex(module_json.as_bytes());
        match Self::find(&sha256) {
            Some(case) => Ok(case),
            None => Ok(Self::keep(network_from_module(module_json)?, sha256)),
        }
    }

    /// The case of this hash if it is open.
    ///
    /// Errors: `CASE.LOST`; its module brings it back.
    pub fn opened(sha256: &str) -> Result<Arc<Self>> {
        Self::find(sha256).ok_or_else(|| EngineError::new("CASE.LOST", message!("case.lost")))
    }

    /// Lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Opens a network that was just read.
    pub(crate) fn keep(network: AnalysisNetwork, sha256: String) -> Arc<Self> {
        let case = Arc::new(Self {
            keys: Arc::new(Keys::new(&network)),
            network: Arc::new(network),
            sha256,
            original: None,
            remarks: Vec::new(),
            interfaces: c::InterfaceEdits::new(),
            orders: Arc::default(),
            extended: Mutex::default(),
        });
        let mut opened = opened();
        // Another thread may have read the same case in the meantime.
        match opened.get(&case.sha256) {
            Some(other) => other,
            None => {
                opened.put(&case);
                case
            }
        }
    }

    fn find(sha256: &str) -> Option<Arc<Self>> {
        opened().get(sha256)
    }
}

/// Cases that stay open without a user, because a Study usually follows the opening of a case.
const RECENT: usize = 4;

#[derive(Default)]
struct Opened {
    all: Option<HashMap<String, Weak<Case>>>,
    /// The latest first.
    recent: VecDeque<Arc<Case>>,
}

static OPENED: Mutex<Opened> = Mutex::new(Opened {
    all: None,
    recent: VecDeque::new(),
});

fn opened() -> std::sync::MutexGuard<'static, Opened> {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Opened {
    fn get(&mut self, sha256: &str) -> Option<Arc<Case>> {
        let case = self.all.as_ref()?.get(sha256)?.upgrade()?;
        self.put(&case);
        Some(case)
    }

    fn put(&mut self, case: &Arc<Case>) {
        self.recent.retain(|one| one.sha256 != case.sha256);
        self.recent.push_front(Arc::clone(case));
        self.recent.truncate(RECENT);
        let all = self.all.get_or_insert_with(HashMap::new);
        all.retain(|_, one| one.strong_count() > 0);
        all.insert(case.sha256.clone(), Arc::downgrade(case));
    }
}

impl Case {
    /// Dense row of the bus that a key names: its number, its uid, or its name where no other bus has that.
    ///
    /// Errors: `unknown`; `BUS.AMBIGUOUS` for the name of several buses, which are listed.
    pub(crate) fn bus_row(&self, key: &str, unknown: &'static str) -> Result<usize> {
        self.keys.bus(key).ok_or_else(|| match self.keys.buses_named(key) {
            [] => EngineError::new(unknown, message!("edit.unknown_bus", key = key)),
            rows => {
                let named: Vec<ElementRef> = rows
                    .iter()
                    .map(|&row| ElementRef::from(&self.network.buses[row]))
                    .collect();
                let message = message!("edit.ambiguous_bus", key = key, count = named.len(), buses = named);
                EngineError::new("BUS.AMBIGUOUS", message)
            }
        })
    }
}

/// Finds dense rows by original id, uid or the name of a bus.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    buses: Arc<BusKeys>,
    branches: RowKeys,
    generators: RowKeys,
    links: RowKeys,
    storages: RowKeys,
}

#[derive(Debug)]
struct BusKeys {
    ids: BTreeMap<u64, usize>,
    uids: BTreeMap<String, usize>,
    /// Names need not be unique.
    names: BTreeMap<String, Vec<usize>>,
}

/// Ids are rows; uids of the case as it was read are shared with its derived cases.
#[derive(Clone, Debug, Default)]
struct RowKeys {
    rows: usize,
    uids: Arc<BTreeMap<String, usize>>,
    added: BTreeMap<String, usize>,
}

impl RowKeys {
    fn new<'a>(uids: impl ExactSizeIterator<Item = Option<&'a String>>) -> Self {
        let mut read = Self::default();
        read = read.extended(uids);
        Self {
            uids: Arc::new(std::mem::take(&mut read.added)),
            ..read
        }
    }

    /// The keys with those of rows behind the ones that are known.
    fn extended<'a>(&self, uids: impl ExactSizeIterator<Item = Option<&'a String>>) -> Self {
        let rows = uids.len();
        let more = uids.enumerate().skip(self.rows);
        let added = self.added.clone().into_iter();
        Self {
            rows,
            uids: Arc::clone(&self.uids),
            added: added
                .chain(more.filter_map(|(k, uid)| Some((uid?.clone(), k))))
                .collect(),
        }
    }

    fn row(&self, key: &str) -> Option<usize> {
        match digits(key) {
            Some(id) => row_of(id?, self.rows),
            None => self.added.get(key).or_else(|| self.uids.get(key)).copied(),
        }
    }
}

impl Keys {
    pub fn new(network: &AnalysisNetwork) -> Self {
        let mut names = BTreeMap::<String, Vec<usize>>::new();
        for (row, name) in network.buses.iter().map(|b| b.name.as_deref()).enumerate() {
            if let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) {
                names.entry(name.to_owned()).or_default().push(row);
            }
        }
        let uids = network.buses.iter().map(|b| b.uid.as_ref()).enumerate();
        let buses = BusKeys {
            names,
            ids: network.buses.iter().enumerate().map(|(k, b)| (b.id, k)).collect(),
            uids: uids.filter_map(|(k, uid)| Some((uid?.clone(), k))).collect(),
        };
        Self {
            buses: Arc::new(buses),
            branches: RowKeys::new(network.branches.iter().map(|b| b.uid.as_ref())),
            generators: RowKeys::new(network.generators.iter().map(|g| g.uid.as_ref())),
            links: RowKeys::new(network.links.iter().map(|l| l.uid.as_ref())),
            storages: RowKeys::new(network.storages.iter().map(|s| s.uid.as_ref())),
        }
    }

    /// The keys of the same network with rows behind those of each table but the buses.
    pub fn extended(&self, network: &AnalysisNetwork) -> Self {
        Self {
            buses: Arc::clone(&self.buses),
            branches: self.branches.extended(network.branches.iter().map(|b| b.uid.as_ref())),
            generators: self
                .generators
                .extended(network.generators.iter().map(|g| g.uid.as_ref())),
            links: self.links.extended(network.links.iter().map(|l| l.uid.as_ref())),
            storages: self.storages.extended(network.storages.iter().map(|s| s.uid.as_ref())),
        }
    }

    /// The bus of a number, a uid or a name that no other bus has.
    pub fn bus(&self, key: &str) -> Option<usize> {
        match digits(key) {
            Some(id) => self.buses.ids.get(&id?).copied(),
            None => self.buses.uids.get(key).copied().or(match self.buses_named(key) {
                [row] => Some(*row),
                _ => None,
            }),
        }
    }

    /// The buses of a name that is neither a number nor a uid.
    pub fn buses_named(&self, key: &str) -> &[usize] {
        match digits(key).is_some() || self.buses.uids.contains_key(key) {
            true => &[],
            false => self.buses.names.get(key.trim()).map_or(&[], Vec::as_slice),
        }
    }

    pub fn branch(&self, key: &str) -> Option<usize> {
        self.branches.row(key)
    }

    pub fn generator(&self, key: &str) -> Option<usize> {
        self.generators.row(key)
    }

    pub fn link(&self, key: &str) -> Option<usize> {
        self.links.row(key)
    }

    pub fn storage(&self, key: &str) -> Option<usize> {
        self.storages.row(key)
    }
}

/// Dense row of a 1-based id.
fn row_of(id: u64, rows: usize) -> Option<usize> {
    usize::try_from(id).ok()?.checked_sub(1).filter(|k| *k < rows)
}

/// `Some` where the key consists of digits: an original id (`None` inside where it does not fit).
fn digits(key: &str) -> Option<Option<u64>> {
    (!key.is_empty() && key.bytes().all(|b| b.is_ascii_digit())).then(|| key.parse().ok())
}
