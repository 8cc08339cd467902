import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyedAnswer, KeyedRequest, Store, UnitOfWork } from '#libs/store';
import { ApiFault, badRequest, conflict } from '../faults/fault.ts';

/** Thrown inside a transaction to undo it: another request has been carried out under the same key. */
class KeyTakenError extends Error {}

/** Claims the key of a request in the transaction that does its work; without a key nothing happens. */
export type ClaimKey = (unit: Pick<UnitOfWork, 'idempotencyKeys'>) => Promise<void>;

const keyPattern = /^[\x21-\x7e]{1,255}$/;
const keptHeaders = ['location', 'openstack-api-version'];

/**
 * Runs the work of a POST. With an `Idempotency-Key` it is done once: the same caller's same request gets the first
 * answer again (with `Idempotency-Replayed: true`), and its failures are not remembered. Keys are kept for a day.
 * @param work does everything in one transaction and calls `claim` in it; answers the body, undefined for none.
 * @throws ApiFault 422 when the key was used for another request, 409 when the answer of the first is not known (yet).
 */
export async function onceByKey<Body extends object | undefined>(
  store: Store,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (claim: ClaimKey) => Promise<Body>,
): Promise<FastifyReply> {
  const keyed = keyedRequest(request);
  if (keyed === null) return send(reply, await work(async () => undefined));
  const known = await store.db.idempotencyKeys.find(keyed.caller, keyed.key);
  if (known) return replay(reply, keyed, known);
  try {
    const body = await work(async (unit) => {
      if (!(await unit.idempotencyKeys.claim(keyed))) throw new KeyTakenError();
    });
    const text = body === undefined ? '' : JSON.stringify(body);
    await store.db.idempotencyKeys.keepAnswer(keyed.caller, keyed.key, answerOf(reply, text));
    return send(reply, body);
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    return replay(reply, keyed, await store.db.idempotencyKeys.find(keyed.caller, keyed.key));
  }
}

function keyedRequest(request: FastifyRequest): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !keyPattern.test(key)) {
    throw badRequest('Idempotency-Key must be 1 to 255 printable characters without spaces');
  }
  const { caller } = request;
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
  if (Buffer.isBuffer(request.body)) hash.update(request.body);
  return {
    caller: `${caller.projectId ?? ''} ${caller.userId ?? ''}`,
    key,
    requestHash: hash.digest('base64url'),
  };
}

function answerOf(reply: FastifyReply, body: string): KeyedAnswer {
  const headers = keptHeaders.flatMap((name) => {
    const value = reply.getHeader(name);
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body };
}

function replay(
  reply: FastifyReply,
  { requestHash }: KeyedRequest,
  known: Awaited<ReturnType<UnitOfWork['idempotencyKeys']['find']>>,
): FastifyReply {
  if (known !== null && known.requestHash !== requestHash) {
    throw new ApiFault(422, 'The Idempotency-Key was used for another request');
  }
  if (!known?.answer) throw conflict('The request with this Idempotency-Key was carried out; its answer is not known');
  const { status, headers, body } = known.answer;
  reply.code(status).headers(headers).header('Idempotency-Replayed', 'true');
  return send(reply, body === '' ? undefined : (JSON.parse(body) as object));
}

function send(reply: FastifyReply, body: object | undefined): FastifyReply {
  return body === undefined ? reply.header('Content-Length', '0').send() : reply.send(body);
}
