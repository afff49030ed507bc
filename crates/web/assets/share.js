// A position and its moves in the fragment of an address: `1.` and then JSON, packed as zlib does it, whose
// checksum finds damage, in base64url.

const VERSION = "1.";

/** The most bytes of a position, as a server allows. */
const MOST_BYTES = 2 ** 20;

/** Bytes through a stream; throws if there are too many. */
const through = async (stream, bytes) => {
  const parts = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    length += value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw new Error("too long");
    }
  }
};

export const pack = async (state) => {
  const packed = await through(new CompressionStream("deflate"), new TextEncoder().encode(JSON.stringify(state)));
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return VERSION + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** What `pack` packed; throws if the text is damaged or of another version. */
export const unpack = async (text) => {
  if (!text.startsWith(VERSION)) throw new Error("version");
  const packed = atob(text.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(new DecompressionStream("deflate"), Uint8Array.from(packed, (c) => c.charCodeAt(0)));
  const state = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  const isText = (value) => typeof value === "string";
  const isValid = isText(state.puzzle) && (isText(state.name) || isText(state.text)) && Array.isArray(state.moves)
    && state.moves.every(isText) && (state.branches ?? []).every((moves) => moves.every(isText)) && Number.isInteger(state.at) && typeof state.options === "object" && state.options !== null;
  if (!isValid) throw new Error("content");
  return state;
};
