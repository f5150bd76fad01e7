//! What the operating system knows of this process. Linux; elsewhere memory reads as 0.

use std::time::Duration;

/// CPU time of all threads of this process so far.
#[allow(unsafe_code)] // The standard library has no clock of CPU time.
pub fn cpu_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a local of the type that the call fills.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Bytes of memory in use.
pub fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// Bytes that were allocated and not freed, in all arenas; nothing where the allocator does not say. What is resident can
/// grow by less, where what is allocated fills holes that others left.
#[allow(unsafe_code)] // The allocator's own call.
pub fn allocated_bytes() -> Option<u64> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: only reads the allocator's own counters.
        let counters = unsafe { libc::mallinfo2() };
        Some((counters.uordblks + counters.hblkhd) as u64)
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}

/// Gives memory that is not in use back, so that what is resident is what is held.
#[allow(unsafe_code)] // The allocator's own call.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: touches only memory that the allocator holds free.
    unsafe {
        libc::malloc_trim(0)
    };
}
