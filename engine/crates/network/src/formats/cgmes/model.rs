//! Objects of all profiles with their properties, by identifier and class.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::error::{EngineError, Result};
use crate::formats::xml::{Document, Element};
use crate::message;

/// An object: its class, its identifier and the values that the profiles give it.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pub id: String,
    pub class: &'a str,
    values: Vec<(&'a str, Cow<'a, str>)>,
    /// Whether a profile of the boundary defines it.
    pub is_boundary: bool,
    is_defined: bool,
}

impl Object<'_> {
    /// The last value of a property.
    pub fn text(&self, property: &str) -> Option<&str> {
        let found = self.values.iter().rev().find(|(own, _)| *own == property);
        found.map(|(_, value)| &**value)
    }

    pub fn name(&self) -> Option<&str> {
        self.text("IdentifiedObject.name").filter(|name| !name.is_empty())
    }

    /// A number; absent and not a number are no value.
    pub fn number(&self, property: &str) -> Result<Option<f64>> {
        let Some(written) = self.text(property) else {
            return Ok(None);
        };
        let value: f64 = written.trim().parse().map_err(|_| self.refused(property))?;
        Ok((!value.is_nan()).then_some(value))
    }

    pub fn or_zero(&self, property: &str) -> Result<f64> {
        Ok(self.number(property)?.unwrap_or(0.0))
    }

    pub fn required(&self, property: &str) -> Result<f64> {
        self.number(property)?.ok_or_else(|| self.missing(property))
    }

    pub fn flag(&self, property: &str) -> Result<Option<bool>> {
        match self.text(property) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(_) => Err(self.refused(property)),
        }
    }

    /// The word of an enumeration, without its namespace and type.
    pub fn word(&self, property: &str) -> Option<&str> {
        self.text(property)
            .map(|value| value.rsplit('.').next().unwrap_or(value))
    }

    pub fn shown(&self) -> String {
        match self.name() {
            Some(name) => format!("{name} ({})", self.id),
            None => self.id.clone(),
        }
    }

    pub fn missing(&self, property: &str) -> EngineError {
        let message = message!("cgmes.missing", object = self.shown(), property = property);
        EngineError::new("INPUT.PARSE", message)
    }

    pub fn refused(&self, property: &str) -> EngineError {
        let value = self.text(property).unwrap_or_default();
        let message = message!("cgmes.value", object = self.shown(), property = property, value = value);
        EngineError::new("INPUT.PARSE", message)
    }
}

/// All objects in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct Model<'a> {
    objects: Vec<Object<'a>>,
    index: HashMap<String, usize>,
    classes: BTreeMap<&'a str, Vec<usize>>,
}

/// Classes whose objects belong to another object, and the property that names it.
const MEMBERS: [(&str, &str); 14] = [
    ("BatteryUnit", "PowerElectronicsUnit.PowerElectronicsConnection"),
    ("CurveData", "CurveData.Curve"),
    ("FossilFuel", "FossilFuel.ThermalGeneratingUnit"),
    (
        "NonlinearShuntCompensatorPoint",
        "NonlinearShuntCompensatorPoint.NonlinearShuntCompensator",
    ),
    ("PhotoVoltaicUnit", "PowerElectronicsUnit.PowerElectronicsConnection"),
    (
        "PowerElectronicsWindUnit",
        "PowerElectronicsUnit.PowerElectronicsConnection",
    ),
    ("PowerTransformerEnd", "PowerTransformerEnd.PowerTransformer"),
    ("RatioTapChanger", "RatioTapChanger.TransformerEnd"),
    ("PhaseTapChangerLinear", "PhaseTapChanger.TransformerEnd"),
    ("PhaseTapChangerSymmetrical", "PhaseTapChanger.TransformerEnd"),
    ("PhaseTapChangerAsymmetrical", "PhaseTapChanger.TransformerEnd"),
    ("PhaseTapChangerTabular", "PhaseTapChanger.TransformerEnd"),
    (
        "RatioTapChangerTablePoint",
        "RatioTapChangerTablePoint.RatioTapChangerTable",
    ),
    (
        "PhaseTapChangerTablePoint",
        "PhaseTapChangerTablePoint.PhaseTapChangerTable",
    ),
];

/// Objects by the identifier of the object to which they belong, in the order of `MEMBERS` and of the file.
pub(super) struct Members<'m, 'a>(HashMap<&'m str, Vec<&'m Object<'a>>>);

impl<'m, 'a> Members<'m, 'a> {
    pub fn of(&self, owner: &str) -> &[&'m Object<'a>] {
        self.0.get(owner).map_or(&[], |members| &members[..])
    }
}

/// What a document contributes.
struct Profile<'a> {
    /// Boundaries first, then equipment, hypotheses, topology, solutions.
    rank: usize,
    id: String,
    is_boundary: bool,
    elements: Vec<Element<'a>>,
}

impl<'a> Model<'a> {
    /// Reads documents, in an order that does not depend on theirs.
    ///
    /// # Errors
    /// Those of XML, `INPUT.FORMAT` for another root than `RDF`, for differences between models and without equipment or hypotheses.
    pub fn read(documents: &'a [String]) -> Result<Self> {
        let mut profiles = Vec::new();
        let mut names = Vec::new();
        for text in documents {
            let profile = profile(text, &mut names)?;
            profiles.extend(profile);
        }
        profiles.sort_by(|a: &Profile<'_>, b| (a.rank, &a.id).cmp(&(b.rank, &b.id)));
        let mut model = Self::default();
        for profile in profiles {
            for element in profile.elements {
                model.add(element, profile.is_boundary)?;
            }
        }
        let has = |words: &str| names.iter().any(|name: &String| name.contains(words));
        if !names.is_empty() && !has("SteadyStateHypothesis") {
            return Err(EngineError::new("INPUT.FORMAT", message!("cgmes.no_hypothesis")));
        }
        Ok(model)
    }

    fn add(&mut self, element: Element<'a>, is_boundary: bool) -> Result<()> {
        let is_definition = element.attribute("ID").is_some();
        let Some(id) = element.attribute("ID").or_else(|| element.attribute("about")) else {
            return Ok(());
        };
        let id = identifier(id).to_string();
        let class = element.name;
        let row = match self.index.get(&id) {
            Some(row) => *row,
            None => {
                let row = self.objects.len();
                self.index.insert(id.clone(), row);
                self.objects.push(Object {
                    id,
                    class: "",
                    values: Vec::new(),
                    is_boundary,
                    is_defined: false,
                });
                row
            }
        };
        let object = &mut self.objects[row];
        if is_definition && object.is_defined && object.class != class {
            let message = message!("cgmes.twice", id = &object.id, first = object.class, second = class);
            return Err(EngineError::new("INPUT.DUPLICATE_ELEMENT", message));
        }
        object.is_defined |= is_definition;
        // The hypotheses name classes too, but a definition decides.
        if object.class.is_empty() || is_definition {
            if object.class != class {
                if let Some(rows) = self.classes.get_mut(object.class) {
                    rows.retain(|own| *own != row);
                }
                self.classes.entry(class).or_default().push(row);
            }
            object.class = class;
        }
        for property in element.children {
            let resource = property.attribute("resource").map(|resource| {
                let is_reference = resource.starts_with('#') || resource.starts_with("urn:uuid:");
                match is_reference {
                    true => identifier(resource).to_string(),
                    false => resource.rsplit('#').next().unwrap_or(resource).to_string(),
                }
            });
            let value = resource.map_or(property.text, Cow::Owned);
            object.values.push((property.name, value));
        }
        Ok(())
    }

    pub fn get(&self, id: &str) -> Option<&Object<'a>> {
        self.index.get(id).map(|row| &self.objects[*row])
    }

    /// The object that a property of another one refers to.
    pub fn of(&self, object: &Object<'_>, property: &str) -> Option<&Object<'a>> {
        self.get(object.text(property)?)
    }

    pub fn all<'m>(&'m self, class: &str) -> impl Iterator<Item = &'m Object<'a>> + 'm {
        let rows = self.classes.get(class).map_or(&[][..], |rows| &rows[..]);
        rows.iter().map(|row| &self.objects[*row])
    }

    /// The objects that belong to another one.
    pub fn members(&self) -> Members<'_, 'a> {
        let mut members = Members(HashMap::new());
        for (class, property) in MEMBERS {
            for object in self.all(class) {
                if let Some(owner) = object.text(property) {
                    members.0.entry(owner).or_default().push(object);
                }
            }
        }
        members
    }

    pub fn classes(&self) -> impl Iterator<Item = (&'a str, usize)> + '_ {
        self.classes.iter().map(|(class, rows)| (*class, rows.len()))
    }
}

/// An identifier without the marks that its references have.
fn identifier(text: &str) -> &str {
    let text = text.strip_prefix("urn:uuid:").unwrap_or(text);
    let text = text.strip_prefix('#').unwrap_or(text);
    text.strip_prefix('_').unwrap_or(text)
}

/// Reads a document; `None` for profiles without effect on a power flow. `names` receives the names of its profiles.
fn profile<'a>(text: &'a str, names: &mut Vec<String>) -> Result<Option<Profile<'a>>> {
    let mut document = Document::open(text)?;
    if document.root.name != "RDF" {
        let message = message!("cgmes.root", name = document.root.name);
        return Err(EngineError::new("INPUT.FORMAT", message));
    }
    let mut profile = Profile {
        rank: 1,
        id: String::new(),
        is_boundary: false,
        elements: Vec::new(),
    };
    let mut own = Vec::new();
    while let Some(element) = document.next(|_| true)? {
        match element.name {
            "FullModel" => {
                profile.id = element.attribute("about").unwrap_or_default().to_string();
                let stated = element.children.iter().filter(|child| child.name == "Model.profile");
                own.extend(stated.map(|child| child.text.to_string()));
            }
            "DifferenceModel" => {
                return Err(EngineError::new("INPUT.FORMAT", message!("cgmes.difference")));
            }
            _ => profile.elements.push(element),
        }
    }
    let has = |words: &str| own.iter().any(|name| name.contains(words));
    let is_other = !own.is_empty()
        && own
            .iter()
            .all(|name| ["Dynamics", "DiagramLayout"].iter().any(|kind| name.contains(kind)));
    profile.is_boundary = has("Boundary");
    profile.rank = match () {
        () if profile.is_boundary => 0,
        () if has("SteadyState") => 2,
        () if has("StateVariables") => 4,
        () if has("Topology") => 3,
        () => 1,
    };
    names.append(&mut own);
    Ok((!is_other).then_some(profile))
}
