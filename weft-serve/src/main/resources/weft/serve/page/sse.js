// Server-sent events out of a stream of bytes, as the HTML standard splits them: lines by LF, CR or CRLF, events by an empty
// line, several data lines joined. Chunks may end anywhere, inside a character too.

/** The data of each event of a response's body, as it arrives. */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const lines = new Lines();
  let data = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      for (const line of lines.push(value)) {
        if (line === '') {
          if (data.length) yield data.join('\n');
          data = [];
        } else if (line === 'data' || line.startsWith('data:')) {
          data.push(line.slice(5).replace(/^ /, ''));
        }
      }
    }
  } finally {
    // Who stops listening lets the server stop writing.
    reader.cancel().catch(() => {});
  }
}

/** Whole lines of a text that comes in pieces. */
export class Lines {
  #rest = '';
  #afterReturn = false;

  push(piece) {
    if (piece === '') return [];
    if (this.#afterReturn && piece.startsWith('\n')) piece = piece.slice(1);
    this.#afterReturn = piece.endsWith('\r');
    const lines = (this.#rest + piece).split(/\r\n|\r|\n/);
    this.#rest = lines.pop();
    return lines;
  }
}
