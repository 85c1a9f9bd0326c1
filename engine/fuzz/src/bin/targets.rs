//! Lists the targets for `binder/fuzz.mjs`: one line per target with its name and the folders of its files, separated
//! by tabs.

use wattbook_fuzz::{data, TARGETS};

fn main() {
    let root = data::folder();
    for target in TARGETS {
        print!("{}", target.name);
        for choice in target.data {
            if let Some(root) = &root {
                print!("\t{}", root.join(choice.folder).display());
            }
        }
        println!();
    }
}
