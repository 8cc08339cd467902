import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import type { CarriedOut, KeyedRequest, KeyedResponse, Store, UnitOfWork } from '#libs/store';
import { ApiFault, badRequest, conflict } from '../faults/fault.ts';

/** Thrown inside a transaction to roll it back: another request was executed with the same key. */
class KeyTakenError extends Error {}

/** Claims the key of a request in the transaction that creates or changes an entity. Without a key it does nothing. */
export type ClaimKey = (unit: Pick<UnitOfWork, 'idempotencyKeys'>, entityUuid: string) => Promise<void>;

/** A POST in parts, so that its result can be rendered again. */
export interface KeyedWork<Row, Body extends object | undefined> {
  /** Executes the request in one transaction and calls `claim` in it first. */
  act(claim: ClaimKey): Promise<Row>;
  /** The current state of the result of `act`, when the first request's response was lost. */
  find(entityUuid: string): Promise<Row>;
  /** Sets status and headers of the reply, and makes the body. Undefined for none. */
  show(row: Row): Promise<Body> | Body;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;
/** Header of a response that repeats an earlier request's result. */
const replayed = { 'Idempotency-Replayed': 'true' };
const keptHeaders = ['location', 'openstack-api-version'];

/**
 * Runs the work of a POST. With an `Idempotency-Key` it runs once: a repeated request of the same caller gets the first
 * response again, with `Idempotency-Replayed: true`. When that response was lost, it gets the current state of the
 * result. Failures are not stored. Keys are kept for a day.
 * @throws ApiFault 422 when the key was used for another request.
 */
export async function onceByKey<Row, Body extends object | undefined>(
  store: Store,
  request: FastifyRequest,
  reply: FastifyReply,
  work: KeyedWork<Row, Body>,
): Promise<FastifyReply> {
  const keyed = keyedRequest(request);
  if (keyed === null) return send(reply, await work.show(await work.act(async () => undefined)));
  const known = await store.db.idempotencyKeys.find(keyed.caller, keyed.key);
  if (known) return replay(store, reply, keyed, known, work);
  try {
    const row = await work.act(async (unit, entityUuid) => {
      if (!(await unit.idempotencyKeys.claim(keyed, entityUuid))) throw new KeyTakenError();
    });
    return await respond(store, reply, keyed, await work.show(row));
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    return replay(store, reply, keyed, await store.db.idempotencyKeys.find(keyed.caller, keyed.key), work);
  }
}

/** Sends the result and stores it. If storing fails, a repeated request renders the result again. */
async function respond(
  store: Store,
  reply: FastifyReply,
  { caller, key }: KeyedRequest,
  body: object | undefined,
): Promise<FastifyReply> {
  const text = body === undefined ? '' : JSON.stringify(body);
  await store.db.idempotencyKeys.keepResponse(caller, key, responseOf(reply, text)).catch((error: unknown) => {
    reply.log.info({ error: messageOf(error) }, 'cannot store response of request with idempotency key');
  });
  return send(reply, body);
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

function responseOf(reply: FastifyReply, body: string): KeyedResponse {
  const headers = keptHeaders.flatMap((name) => {
    const value = reply.getHeader(name);
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body };
}

async function replay<Row, Body extends object | undefined>(
  store: Store,
  reply: FastifyReply,
  keyed: KeyedRequest,
  known: CarriedOut | null,
  { find, show }: KeyedWork<Row, Body>,
): Promise<FastifyReply> {
  if (known !== null && known.requestHash !== keyed.requestHash) {
    throw new ApiFault(422, 'The Idempotency-Key was used for another request');
  }
  if (known?.response) {
    const { status, headers, body } = known.response;
    reply.code(status).headers({ ...headers, ...replayed });
    return send(reply, body === '' ? undefined : (JSON.parse(body) as object));
  }
  // Executed by an older release, or expired between two reads.
  if (!known?.entityUuid) throw conflict('The request with this Idempotency-Key was executed; its response is lost');
  const body = await show(await find(known.entityUuid));
  return respond(store, reply.headers(replayed), keyed, body);
}

function send(reply: FastifyReply, body: object | undefined): FastifyReply {
  return body === undefined ? reply.header('Content-Length', '0').send() : reply.send(body);
}
