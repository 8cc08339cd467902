import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { JsonObject } from '#libs/domain';

/** Longer answers are compressed: RabbitMQ 4 takes 16 MiB at most, and a model of 20,000 instances is longer than that. */
const packAboveCharacters = 256 * 1024;

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** A long answer becomes `{ gzip: <base64> }`; rows of a model shrink to a tenth. */
export async function pack(answer: object): Promise<JsonObject> {
  const text = JSON.stringify(answer);
  if (text.length <= packAboveCharacters) return JSON.parse(text) as JsonObject;
  return { gzip: (await compress(text)).toString('base64') };
}

/** The reverse of `pack`. */
export async function unpack(answer: JsonObject): Promise<JsonObject> {
  if (typeof answer.gzip !== 'string') return answer;
  return JSON.parse((await expand(Buffer.from(answer.gzip, 'base64'))).toString('utf8')) as JsonObject;
}
