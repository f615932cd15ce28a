import { gzipSync } from 'node:zlib'

const blockBytes = 512

/** Packs text files into a compressed tar archive (ustar, POSIX.1-1988). A path can have at most 100 bytes. */
export function tarGz(files: Iterable<[path: string, text: string]>): Buffer {
  const blocks = [...files].flatMap(([path, text]) => {
    const content = Buffer.from(text)
    return [header(path, content.length), content, Buffer.alloc(-content.length & (blockBytes - 1))]
  })
  // Two blocks of zeros mark the end of the archive.
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]))
}

function header(path: string, bytes: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`the path ${path} is too long for an archive`)
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, at: number, digits: number) => block.write(value.toString(8).padStart(digits, '0'), at)
  block.write(path)
  octal(0o644, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(bytes, 124, 11)
  octal(0, 136, 11)
  block.write('        0', 148)
  block.write('ustar\x0000', 257)
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  )
  block.write('\0 ', 154)
  return block
}
