//! What the page gives the solver, and what it calls: only JavaScript has the time and the page.

#![expect(unsafe_code, reason = "the functions of JavaScript take pointers")]

#[link(wasm_import_module = "fewest")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    pub(super) safe fn now() -> f64;
    fn part(at: *const u8, bytes: usize);
    fn file(media_type: *const u8, type_bytes: usize, at: *const u8, bytes: usize);
    fn panicked(at: *const u8, bytes: usize);
}

/// Sends a part of an answer, as JSON.
pub(super) fn send(text: &str) {
    // SAFETY: The worker only reads the text, and has done so when it returns.
    unsafe { part(text.as_ptr(), text.len()) }
}

/// Sends a file.
pub(super) fn send_file(media_type: &str, bytes: &[u8]) {
    // SAFETY: As in `send`.
    unsafe { file(media_type.as_ptr(), media_type.len(), bytes.as_ptr(), bytes.len()) }
}

/// Logs what a panic says.
pub(super) fn log(text: &str) {
    // SAFETY: As in `send`.
    unsafe { panicked(text.as_ptr(), text.len()) }
}

/// Room for what the worker hands over.
#[unsafe(no_mangle)]
extern "C" fn allocate(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; bytes].into_boxed_slice()).cast()
}

/// Answers a request.
///
/// # Safety
/// `name` and `body` have been allocated by `allocate` with these sizes, and are not used any
/// more.
#[unsafe(no_mangle)]
unsafe extern "C" fn answer(name: *mut u8, name_bytes: usize, body: *mut u8, body_bytes: usize) {
    // SAFETY: As promised, they are the boxes that `allocate` has leaked.
    let [name, body] = [(name, name_bytes), (body, body_bytes)]
        .map(|(at, bytes)| unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, bytes)) });
    super::answer(&String::from_utf8_lossy(&name), &body);
}
