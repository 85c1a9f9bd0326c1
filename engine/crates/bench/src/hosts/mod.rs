//! Sessions for other hosts: WebAssembly, or a process that loads the library.

mod calls;
mod dcopf;
