import { brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib';
import { WorldFileError } from './world-file.ts';

/** First bytes of a file with sections. */
const magic = Buffer.from('VIGILWLD');
const version = 1;
const headerBytes = magic.length + 4;
const sectionBytes = 16;
/** Tag of the last section, which is empty: a file without it is truncated. */
const endTag = 'END.';

/** A part of a world file, decompressed. `tag` has four letters. */
export interface Section {
  tag: string;
  content: Buffer;
}

/** Whether the file has sections. Otherwise it is JSON. */
export function hasSections(bytes: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}

function compressed(content: Buffer): Buffer {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 6,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return brotliCompressSync(content, { params });
}

/** A section as it lies in the file: tag, compressed and plain length, CRC-32 of the plain bytes, Brotli stream. */
export function packSection({ tag, content }: Section): Buffer {
  const body = tag === endTag ? Buffer.alloc(0) : compressed(content);
  const head = Buffer.alloc(sectionBytes);
  head.write(tag, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(content.length, 8);
  head.writeUInt32LE(crc32(content), 12);
  return Buffer.concat([head, body]);
}

/** A file of packed sections. The same sections always give the same bytes. */
export function packFile(sections: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(headerBytes);
  magic.copy(head);
  head.writeUInt32LE(version, magic.length);
  return Buffer.concat([head, ...sections, packSection({ tag: endTag, content: Buffer.alloc(0) })]);
}

/**
 * Decompresses the sections one after the other. `most` gives the largest plain length of a tag, and nothing for
 * unknown tags. Throws WorldFileError for another version, a truncated or damaged file, and a section that is too
 * large.
 */
export function* readSections(bytes: Buffer, file: string, most: (tag: string) => number | undefined) {
  const fail = (reason: string) => new WorldFileError(file, '', reason);
  if (bytes.length < headerBytes) throw fail('it is truncated');
  const found = bytes.readUInt32LE(magic.length);
  if (found !== version) throw fail(`it has version ${found} of the format; this program reads version ${version}`);
  let at = headerBytes;
  for (;;) {
    if (at + sectionBytes > bytes.length) throw fail('it is truncated');
    const tag = bytes.toString('latin1', at, at + 4);
    if (tag === endTag) break;
    const [packed, content] = readSection(bytes.subarray(at), most(tag), (reason) => fail(`section ${tag} ${reason}`));
    yield { tag, content } satisfies Section;
    at += sectionBytes + packed;
  }
  if (at + sectionBytes !== bytes.length) throw fail('there are bytes after its end');
}

/** Packed length and plain bytes of the section at the start of `bytes`. */
function readSection(
  bytes: Buffer,
  most: number | undefined,
  fail: (reason: string) => WorldFileError,
): [packed: number, content: Buffer] {
  const [packed, plain, sum] = [4, 8, 12].map((offset) => bytes.readUInt32LE(offset)) as [number, number, number];
  if (most === undefined) throw fail('is unknown');
  if (plain > most) throw fail(`has ${plain} bytes; at most ${most} are possible`);
  if (sectionBytes + packed > bytes.length) throw fail('is truncated');
  const content = inflate(bytes.subarray(sectionBytes, sectionBytes + packed), plain);
  if (content === null || crc32(content) !== sum) throw fail('is damaged');
  return [packed, content];
}

/** Null when the stream is damaged or has another length. */
function inflate(packed: Buffer, plain: number): Buffer | null {
  try {
    const content = brotliDecompressSync(packed, { maxOutputLength: Math.max(1, plain) });
    return content.length === plain ? content : null;
  } catch {
    return null;
  }
}
