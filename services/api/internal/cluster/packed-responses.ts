import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary, compress, compressedFromBytes, takesGzip } from '../../http/request/compress-text.ts';

/** A response with its age at the time of the request. */
export interface Aged {
  age_seconds: number;
}

/** One value as text at one age, made once for all requests within that second. */
interface Packed {
  age: number;
  text: string;
  gzipped: Promise<Buffer> | null;
}

/**
 * Sends large responses that many clients poll: with an entity tag (304 if it matches), gzip where accepted, and
 * serialized and compressed once a second for any number of clients. The tag is weak and excludes the age, which grows
 * constantly.
 */
export function createPackedResponses() {
  const tags = new WeakMap<object, string>();
  const packed = new WeakMap<object, Packed>();

  function tagOf(value: Aged): string {
    const known = tags.get(value);
    if (known !== undefined) return known;
    const { age_seconds: _age, ...lasting } = value;
    const tag = `W/"${createHash('sha256').update(JSON.stringify(lasting)).digest('base64url').slice(0, 27)}"`;
    tags.set(value, tag);
    return tag;
  }

  function pack(value: Aged, age: number): Packed {
    const known = packed.get(value);
    if (known?.age === age) return known;
    const made: Packed = { age, text: JSON.stringify({ ...value, age_seconds: age }), gzipped: null };
    packed.set(value, made);
    return made;
  }

  /**
   * @param value shared by all readers, as dynamic properties return it.
   * @param ageSeconds age of the value itself, added to the age in its body.
   */
  return async function send(request: FastifyRequest, reply: FastifyReply, value: Aged, ageSeconds: number) {
    const tag = tagOf(value);
    // `no-cache`: clients may store it but must revalidate it each time.
    void reply.headers({ ETag: tag, 'Cache-Control': 'private, no-cache' });
    addVary(reply, 'Accept-Encoding');
    if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
    const response = pack(value, Math.round(value.age_seconds + ageSeconds));
    void reply.type('application/json; charset=utf-8');
    if (response.text.length < compressedFromBytes || !takesGzip(request.headers['accept-encoding'])) {
      return reply.send(response.text);
    }
    response.gzipped ??= compress(response.text);
    return reply.header('Content-Encoding', 'gzip').send(await response.gzipped);
  };
}

function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const bare = (text: string) => text.trim().replace(/^W\//, '');
  return header.split(',').some((known) => known.trim() === '*' || bare(known) === bare(tag));
}
