//! What a process may use of the machine, where the system has such limits.
//!
//! They are set from outside, right after the process has started, because setting them inside would
//! need `unsafe`. Memory is private writable memory: the runtimes of JavaScript and .NET reserve far
//! more addresses than they use. Where limits cannot be set, asking for them is an error.

use std::io;
use std::time::Duration;

/// What an adapter process may use. A process that it starts has the same limits for itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most memory, in bytes.
    pub memory: Option<u64>,
    /// The most time of processors.
    pub processor_time: Option<Duration>,
}

impl Limits {
    /// Whether this system can limit a process that another program has started.
    pub const POSSIBLE: bool = cfg!(target_os = "linux");

    /// Limits a running process. It may have used something before, which counts.
    #[cfg(target_os = "linux")]
    pub(crate) fn apply(self, process: u32) -> io::Result<()> {
        use rustix::process::Resource;

        if let Some(bytes) = self.memory {
            // Private memory that can be written, and not addresses: some runtimes reserve far more of
            // these than they ever use.
            limit(process, Resource::Data, bytes, bytes)?;
        }
        if let Some(time) = self.processor_time {
            let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
            // The first limit sends a signal that says why, the second ends a process that ignores
            // it.
            limit(process, Resource::Cpu, seconds, seconds + 1)?;
        }
        Ok(())
    }

    /// Limits a running process, which this system cannot do.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn apply(self, _process: u32) -> io::Result<()> {
        if self == Self::default() {
            return Ok(());
        }
        let words = "this system has no limits for the memory and the time of another process";
        Err(io::Error::new(io::ErrorKind::Unsupported, words))
    }
}

#[cfg(target_os = "linux")]
fn limit(
    process: u32,
    resource: rustix::process::Resource,
    current: u64,
    maximum: u64,
) -> io::Result<()> {
    use rustix::process::{Pid, Rlimit, prlimit};

    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    let process = process.ok_or(io::ErrorKind::NotFound)?;
    let limit = Rlimit {
        current: Some(current),
        maximum: Some(maximum),
    };
    prlimit(Some(process), resource, limit)?;
    Ok(())
}
