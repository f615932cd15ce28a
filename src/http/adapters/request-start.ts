const headEnd = '\r\n\r\n'
/** Longer than a method with the empty lines that a client may send before it. */
const maxLength = 64

/** Keeps the method of a head in several chunks: Node's parser reports only the chunk in which it stopped. */
export class RequestStart {
  #text = ''

  /** Called for each chunk once Node's parser has read it. */
  add(chunk: Buffer, isBody: boolean): void {
    if (isBody || endsHead(chunk)) this.#text = ''
    else this.#text = shorten(afterLastHead(this.#text + chunk.toString('latin1')))
  }

  /** `packet` is the chunk in which the parser stopped after `parsedBytes`; undefined after a timeout. */
  isHead(packet: Buffer | undefined, parsedBytes = 0): boolean {
    const text = packet?.toString('latin1') ?? ''
    const lineEnd = text.indexOf('\r', parsedBytes)
    const request = afterLastHead(this.#text + (lineEnd === -1 ? text : text.slice(0, lineEnd)))
    return /^\s*[^\r\n]*HEAD /.test(request)
  }
}

/** Returns the rest after the last complete head, which may begin with the body of that request. */
function afterLastHead(text: string): string {
  const end = text.lastIndexOf(headEnd)
  return end === -1 ? text : text.slice(end + headEnd.length)
}

/** Keeps the last bytes as well, with which the end of the head can begin. */
function shorten(text: string): string {
  return text.length > maxLength ? text.slice(0, maxLength) + text.slice(1 - headEnd.length) : text
}

function endsHead(chunk: Buffer): boolean {
  return chunk.length >= 4 && chunk.readUInt32BE(chunk.length - 4) === 0x0d0a0d0a
}
