//! The inputs of a target by number: each can be reproduced from the target and its number.

use crate::sequence::Sequence;
use crate::{data, hostile, mutate, Target};

/// Files taken from the data folder for one target.
const DATA_FILES: usize = 4;
/// Cuts of every seed, one at each percent.
const CUTS: usize = 100;
/// Size, bytes, above which only every tenth cut of a file is used.
const LARGE: usize = 40_000;

/// The inputs of one target.
pub struct Plan {
    target: &'static Target,
    /// Number of mutated seeds.
    cases: usize,
    made: Vec<(&'static str, Vec<u8>)>,
    /// Files of the data folder; their cases come last, so that the numbers of the others do not depend on them.
    data: Vec<Vec<u8>>,
}

impl Plan {
    /// The fixed run. Reads the seeds, and with `with_data` those of the data folder.
    pub fn new(target: &'static Target, with_data: bool) -> Self {
        Self::of(target, target.cases, with_data)
    }

    /// The requested number of mutated seeds, after the cuts and the constructed inputs.
    pub fn with_cases(target: &'static Target, cases: usize) -> Self {
        Self::of(target, cases, false)
    }

    fn of(target: &'static Target, cases: usize, with_data: bool) -> Self {
        let data = if with_data {
            data::files(target.data, DATA_FILES)
        } else {
            Vec::new()
        };
        Self {
            target,
            cases,
            made: hostile::inputs(target.seeds[0]),
            data,
        }
    }

    pub fn target(&self) -> &'static Target {
        self.target
    }

    /// Number of the first mutated seed, which follows the cuts and the constructed inputs.
    pub fn first_mutated(&self) -> usize {
        self.target.seeds.len() * (CUTS + 1) + self.made.len()
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        let own = self.first_mutated() + self.cases;
        own + self.data_cuts().count()
            + if self.data.is_empty() {
                0
            } else {
                self.target.data_cases
            }
    }

    /// Numbers of the cuts of the files of the data folder.
    fn data_cuts(&self) -> impl Iterator<Item = usize> + '_ {
        let all = 0..self.data.len() * (CUTS + 1);
        all.filter(|at| self.data[at / (CUTS + 1)].len() <= LARGE || at % (CUTS + 1) % 10 == 0)
    }

    /// Always false: every target has inputs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Input `number`, and its description.
    pub fn input(&self, number: usize) -> (String, Vec<u8>) {
        let mut next = Sequence::of(self.target.name, number);
        let seeds = self.target.seeds;
        let mut at = number;
        if at < seeds.len() * (CUTS + 1) {
            return cut(seeds[at / (CUTS + 1)], "seed", at);
        }
        at -= seeds.len() * (CUTS + 1);
        if let Some((name, bytes)) = self.made.get(at) {
            return ((*name).to_string(), bytes.clone());
        }
        at -= self.made.len();
        if at < self.cases {
            let seed = *next.pick(seeds);
            return ("mutated seed".into(), mutate::mutated(seed, seeds, &mut next));
        }
        at -= self.cases;
        if let Some(chosen) = self.data_cuts().nth(at) {
            return cut(&self.data[chosen / (CUTS + 1)], "data", chosen);
        }
        let others: Vec<&[u8]> = self.data.iter().map(Vec::as_slice).collect();
        let seed = *next.pick(&others);
        ("mutated data".into(), mutate::mutated(seed, &others, &mut next))
    }
}

/// The file cut at a percent; the last cut is the whole file.
fn cut(file: &[u8], what: &str, number: usize) -> (String, Vec<u8>) {
    let percent = number % (CUTS + 1);
    (
        format!("{what} {} at {percent} %", number / (CUTS + 1)),
        file[..file.len() * percent / CUTS].to_vec(),
    )
}
