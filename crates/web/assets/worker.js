// A worker with the solver. It answers one request after the other.

/** Bytes of the program; its addresses have a sign here. */
const bytes = (at, length) => new Uint8Array(program.memory.buffer, at >>> 0, length >>> 0);
const text = (at, length) => new TextDecoder().decode(bytes(at, length));
let program;

/** What the program is given: the time in milliseconds, and where its answers go. */
const fewest = {
  now: () => performance.now(),
  part: (at, length) => postMessage({ part: text(at, length) }),
  file: (typeAt, typeLength, at, length) => postMessage({ file: bytes(at, length).slice(), type: text(typeAt, typeLength) }),
  panicked: (at, length) => console.error(text(at, length)),
};

const given = (value) => {
  const encoded = new TextEncoder().encode(value);
  const at = program.allocate(encoded.length);
  bytes(at, encoded.length).set(encoded);
  return [at, encoded.length];
};

onmessage = async ({ data: { module, name, body } }) => {
  try {
    program ??= (await WebAssembly.instantiate(module, { fewest })).exports;
    program.answer(...given(name), ...given(body));
    postMessage({ end: true, bytes: program.memory.buffer.byteLength });
  } catch (fault) {
    console.error(fault);
    postMessage({ failed: true });
  }
};
