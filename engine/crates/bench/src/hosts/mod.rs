//! Sessions for a host that is not this program: WebAssembly, or a process that loads the library.

mod calls;
mod dcopf;
