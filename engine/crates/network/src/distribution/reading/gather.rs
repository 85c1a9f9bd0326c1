//! A script and its included files, prepared for the parser.
//!
//! The parser finds files only by the exact path inside one folder tree. Here every included file is found among the
//! companions and stored under a plain name, and the including line is rewritten to that name. Lines keep their
//! numbers, so that the parser's diagnostics refer to the right line.

use std::collections::{BTreeMap, BTreeSet};

use crate::distribution::reading::companions::Companions;
use crate::distribution::reading::copies::Copies;
use crate::distribution::reading::frequencies::Frequencies;
use crate::distribution::reading::ratings::Ratings;
use crate::distribution::reading::rewriting::{property_reference, replaced, states_as_actions, swapped};
use crate::distribution::reading::values::{Place, References, Values};
use crate::distribution::reading::windings::Windings;
use crate::distribution::script::{self, Param, Verb};
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::{Message, Value};

/// Deepest nesting of includes. The parser ignores anything deeper than 64 with a mere warning.
const DEEPEST: usize = 60;
/// Largest number of includes and of included bytes, counted at each inclusion. The parser ignores anything beyond 4096
/// and 64 MiB with a mere warning.
const MOST_INCLUDES: usize = 4_000;
const MOST_BYTES: usize = 60 << 20;
/// Name of the script itself among the files.
pub(crate) const SCRIPT: &str = "case.dss";
/// Name of the file that [`crate::distribution::reading`] wraps around it.
pub(crate) const FRAME: &str = "frame.dss";

/// The input of the parser.
#[derive(Default)]
pub(crate) struct Gathered {
    /// Name and contents of each file, including [`SCRIPT`].
    pub files: BTreeMap<String, Vec<u8>>,
    /// Last base frequency to which the script changes after `New Circuit`, as in the script.
    pub late_frequency: Option<String>,
    /// Whether positions come from `LatLongCoords` only.
    pub degrees: bool,
    /// Missing files of positions, by their paths in the script.
    pub without_positions: Vec<String>,
    /// Power factors of loads that are given by the rating of their transformer.
    pub ratings: Ratings,
    /// Names that the script uses before it defines them.
    pub references: References,
}

/// Largest number of missing scripts that are named.
const MOST_MISSING: usize = 100;

/// Collects a script. A base frequency set after the circuit makes the parser treat the source as one of another
/// frequency, and so as one without voltage. With `beforehand`, a value that the caller sets before the script,
/// settings in the script are removed.
///
/// A missing file of positions leaves the buses without positions; a missing script means that there is no feeder.
///
/// # Errors
/// `INPUT.COMPANION`, with every missing script in `missing` of the details; `INPUT.REDIRECT_CYCLE`; `INPUT.PARSE` for
/// a value of the wrong kind.
pub(crate) fn gather(text: &str, companions: &Companions<'_>, beforehand: Option<&str>) -> Result<Gathered> {
    let mut walk = Walk {
        companions,
        out: Gathered::default(),
        names: BTreeMap::new(),
        taken: BTreeSet::from([SCRIPT.to_owned(), FRAME.to_owned()]),
        active: Vec::new(),
        includes: 0,
        bytes: 0,
        copies: Copies::default(),
        windings: Windings::default(),
        frequencies: Frequencies::new(beforehand),
        values: Values::default(),
        at: 0,
        control: false,
        planar: false,
        named: BTreeSet::new(),
        missing: Vec::new(),
    };
    let main = walk.script(text, None)?;
    if let Some(first) = walk.missing.first() {
        let message = match walk.missing.len() {
            1 => message!("feeder.companion_missing", file = first),
            _ => message!(
                "feeder.companions_missing",
                files = Value::List(walk.missing.iter().map(Value::from).collect())
            ),
        };
        let details = serde_json::json!({ "file": first, "missing": walk.missing });
        return Err(EngineError::new("INPUT.COMPANION", message).with_details(details));
    }
    if let Some(refused) = walk.values.refused.take() {
        return Err(refused);
    }
    walk.out.files.insert(SCRIPT.to_owned(), main.into_bytes());
    walk.profiles();
    walk.out.late_frequency = walk.frequencies.late.take();
    walk.out.references = walk.values.references;
    walk.out.degrees &= !walk.planar;
    Ok(walk.out)
}

/// The role of an included file, which may have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Script,
    Positions,
    LatLong,
}

struct Walk<'a> {
    companions: &'a Companions<'a>,
    out: Gathered,
    names: BTreeMap<(usize, Role), String>,
    taken: BTreeSet<String>,
    /// Files being read, the outermost first.
    active: Vec<usize>,
    /// Number of includes and included bytes so far.
    includes: usize,
    bytes: usize,
    copies: Copies,
    windings: Windings,
    frequencies: Frequencies,
    values: Values,
    /// The line being read, counted from one in its file.
    at: usize,
    /// Whether the active object is a switch control.
    control: bool,
    /// Whether positions come from `Buscoords` too.
    planar: bool,
    /// Names, in lower case, of companions that a line mentions.
    named: BTreeSet<String>,
    /// Missing scripts, by their paths in the script.
    missing: Vec<String>,
}

impl Walk<'_> {
    /// The text of a script with rewritten lines; `own` is its index among the companions.
    fn script(&mut self, text: &str, own: Option<usize>) -> Result<String> {
        let mut folder: Vec<String> = own.map_or_else(Vec::new, |file| self.companions.folder(file).to_vec());
        let mut out = String::with_capacity(text.len() + 64);
        for (row, (line, live)) in script::lines(text).enumerate() {
            self.at = row + 1;
            if live {
                self.note_names(line);
            }
            match if live { self.line(line, own, &mut folder)? } else { None } {
                Some(rewritten) => out.push_str(&rewritten),
                None => out.push_str(line),
            }
            out.push('\n');
        }
        Ok(out)
    }

    /// A line as the parser should see it; `None` if it is unchanged.
    fn line(&mut self, line: &str, own: Option<usize>, folder: &mut Vec<String>) -> Result<Option<String>> {
        let params = script::params(line);
        let Some(first) = params.first() else {
            return Ok(None);
        };
        let at = Place {
            line: self.at,
            file: own.map(|file| self.companions.name(file)),
        };
        if let Some(name) = &first.name {
            self.values.reference(&line[name.clone()], line, &params, at);
            self.copies.note_reference(&line[name.clone()], line, &params)?;
            let reference = &line[name.clone()];
            self.out.ratings.reference(reference, line, &params);
            let of_winding = self.windings.reference(reference, line, &params);
            return Ok(of_winding.or_else(|| property_reference(line, reference, &params)));
        }
        let verb = script::verb(&line[first.value.clone()]);
        self.values.line(verb, line, &params, at);
        self.copies.note(verb, line, &params)?;
        match verb {
            Verb::Redirect | Verb::Compile => {
                let Some(target) = params.get(1) else { return Ok(None) };
                let Some((file, name)) = self.include(line, target, own, folder, Role::Script)? else {
                    return Ok(Some(String::new()));
                };
                if verb == Verb::Compile {
                    // Compile leaves the folder of the compiled file as the current one; redirect restores it.
                    *folder = self.companions.folder(file).to_vec();
                }
                Ok(Some(replaced(
                    line,
                    vec![(target.quoted.clone(), format!("\"{name}\""))],
                )))
            }
            Verb::BusCoords | Verb::LatLongCoords => {
                let Some(target) = params.get(1) else { return Ok(None) };
                let role = if verb == Verb::BusCoords {
                    Role::Positions
                } else {
                    Role::LatLong
                };
                let found = self.include(line, target, own, folder, role)?;
                Ok(Some(
                    found.map_or(String::new(), |(_, name)| format!("Buscoords \"{name}\"")),
                ))
            }
            Verb::Clear => {
                self.frequencies.circuit = false;
                Ok(None)
            }
            Verb::Set => Ok(self.frequencies.set(line, &params[1..])),
            Verb::New | Verb::Edit => {
                let object = params
                    .get(1)
                    .map_or(String::new(), |p| line[p.value.clone()].to_ascii_lowercase());
                self.control = object.starts_with("swtcontrol.");
                self.frequencies.circuit |= verb == Verb::New && object.starts_with("circuit.");
                self.out
                    .ratings
                    .line(verb, &object, line, params.get(2..).unwrap_or_default());
                let with_frequency = (verb == Verb::New)
                    .then(|| self.frequencies.given(&object, line, &params[1..]))
                    .flatten();
                let of_winding = self.windings.line(verb, &object, line, &params[1..]).or(with_frequency);
                Ok(of_winding.or_else(|| self.control.then(|| states_as_actions(line, &params[1..])).flatten()))
            }
            Verb::More => {
                self.out.ratings.line(verb, "", line, &params[1..]);
                let of_winding = self.windings.line(verb, "", line, &params[1..]);
                Ok(of_winding.or_else(|| self.control.then(|| states_as_actions(line, &params[1..])).flatten()))
            }
            Verb::BatchEdit | Verb::Select | Verb::Solve | Verb::Var | Verb::Other => Ok(None),
        }
    }

    /// Adds the file that a line includes; returns its index and new name, `None` if it is missing.
    fn include(
        &mut self,
        line: &str,
        target: &Param,
        own: Option<usize>,
        folder: &[String],
        role: Role,
    ) -> Result<Option<(usize, String)>> {
        let written = &line[target.value.clone()];
        if written.starts_with('@') {
            let message = message!("feeder.include_by_variable", variable = written);
            return Err(refusal("INPUT.COMPANION", written, message));
        }
        let Some(file) = self.companions.find(folder, written, own)? else {
            let list = match role {
                Role::Script => &mut self.missing,
                Role::Positions | Role::LatLong => &mut self.out.without_positions,
            };
            if list.len() < MOST_MISSING && !list.iter().any(|known| known.eq_ignore_ascii_case(written)) {
                list.push(written.to_owned());
            }
            return Ok(None);
        };
        if self.active.contains(&file) || self.active.len() >= DEEPEST {
            let message = match self.active.contains(&file) {
                true => message!("feeder.includes_itself", file = self.companions.name(file)),
                false => message!("feeder.included_too_deep", file = written, most = DEEPEST),
            };
            return Err(refusal("INPUT.REDIRECT_CYCLE", written, message));
        }
        self.planar |= role == Role::Positions;
        self.out.degrees |= role == Role::LatLong;
        let text = self.companions.text(file)?;
        self.includes += 1;
        self.bytes += text.len();
        if self.includes > MOST_INCLUDES || self.bytes > MOST_BYTES {
            let message = message!("feeder.includes_too_much", file = written);
            return Err(refusal("INPUT.REDIRECT_CYCLE", written, message));
        }
        if let Some(name) = self.names.get(&(file, role)).cloned() {
            if role == Role::Script {
                // Its commands are executed again and count again, but the parser already has the text.
                self.active.push(file);
                self.script(&text, Some(file))?;
                self.active.pop();
            }
            return Ok(Some((file, name)));
        }
        let contents = match role {
            Role::Script => {
                self.active.push(file);
                let contents = self.script(&text, Some(file))?;
                self.active.pop();
                contents
            }
            Role::Positions => text.into_owned(),
            Role::LatLong => swapped(&text),
        };
        let name = self.name(file);
        self.names.insert((file, role), name.clone());
        self.out.files.insert(name.clone(), contents.into_bytes());
        Ok(Some((file, name)))
    }

    /// A plain, unique name close to the file's own; in lower case, since paths match in any case.
    fn name(&mut self, file: usize) -> String {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || "._-".contains(c) {
                c
            } else {
                '_'
            }
        };
        let wanted: String = self
            .companions
            .name(file)
            .to_ascii_lowercase()
            .chars()
            .map(plain)
            .collect();
        let mut name = wanted.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{count}-{wanted}");
        }
        name
    }

    /// Companions that a line mentions without including them are load profiles, which are passed on under their own
    /// names. Other companions are ignored, so that they do not change the identity of the case.
    fn profiles(&mut self) {
        for file in 0..self.companions.len() {
            let name = self.companions.name(file);
            let included = [Role::Script, Role::Positions, Role::LatLong];
            if self.named.contains(&name.to_ascii_lowercase())
                && !included.iter().any(|role| self.names.contains_key(&(file, *role)))
                && !name.contains(':')
                && self.taken.insert(name.to_ascii_lowercase())
            {
                self.out
                    .files
                    .insert(name.to_owned(), self.companions.bytes(file).to_vec());
            }
        }
    }

    /// Records the companions that a line mentions, for instance in `mult=(file=day.csv)`.
    fn note_names(&mut self, line: &str) {
        if self.companions.len() == 0 || !line.to_ascii_lowercase().contains("file") {
            return;
        }
        for word in line.split(|c: char| " \t=,()[]{}\"'|/\\".contains(c)) {
            let word = word.to_ascii_lowercase();
            if self.companions.has_name(&word) {
                self.named.insert(word);
            }
        }
    }
}

fn refusal(code: &'static str, file: &str, message: Message) -> EngineError {
    EngineError::new(code, message).with_details(serde_json::json!({ "file": file }))
}
