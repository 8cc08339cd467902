import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#libs/domain';
import { createRecentMap, createSemaphore } from '#libs/service-kit';
import { ApiFault } from '../http/faults/fault.ts';
import { createClientLimit, maxClients } from '../http/request/client-limit.ts';

/** Too many tokens of one address were refused by Keystone. */
export class TooManyTokensError extends ApiFault {
  readonly waitSeconds: number;

  constructor(waitSeconds: number) {
    super(429, 'Too many tokens that are not valid; try again later');
    this.waitSeconds = waitSeconds;
  }
}

/** Admits a Keystone call for a token that is not cached. @throws TooManyTokensError */
export type UnknownTokenGate = <Result>(
  address: string,
  token: string,
  validate: () => Promise<Result | null>,
) => Promise<Result | null>;

/** Parallel Keystone calls for unknown tokens per address. Further calls of that address queue behind each other. */
const concurrencyPerAddress = 4;
/** The reserve of an address is a quarter of its limit. */
const reserveShare = 0.25;
/** Pause before each call from the reserve, in milliseconds. */
const defaultSlowMs = 250;
/** Fernet tokens, JWS tokens and UUIDs. */
const tokenForm = /^[\w.-]{32,}={0,2}$/;

/**
 * Bounds the load that unknown clients put on Keystone. Each address may have `perMinute` rejected tokens (read each
 * time, 0: unlimited) and a few parallel calls, so that other clients' new tokens are not delayed. Valid tokens do not
 * count, nor do tokens that Keystone was unavailable for.
 *
 * Clients behind one address share its limit. Beyond it a quarter more is reserved for tokens that may be valid: they
 * have the form of a token and were not rejected before. These calls are made one after the other, with a pause.
 */
export function createUnknownTokenGate(
  perMinute: () => number,
  clock: Clock,
  slowMs = defaultSlowMs,
): UnknownTokenGate {
  const limit = createClientLimit(perMinute, clock);
  const reserve = createClientLimit(() => Math.ceil(perMinute() * reserveShare), clock);
  const rejected = createRecentMap<string, true>(maxClients);
  const inTurn = createTurns(concurrencyPerAddress);
  const inSlowTurn = createTurns(1);

  async function judge<T>(address: string, token: string, validate: () => Promise<T | null>, from: typeof limit) {
    let isRefused = false;
    try {
      const result = await validate();
      isRefused = result === null;
      return result;
    } finally {
      if (isRefused) rejected.set(digestOf(token), true);
      else from.giveBack(address);
    }
  }

  return async (address, token, validate) => {
    const wait = { seconds: 0 };
    const usual = await inTurn(address, async () => {
      wait.seconds = limit.take(address);
      return wait.seconds > 0 ? null : { result: await judge(address, token, validate, limit) };
    });
    if (usual) return usual.result;
    if (!tokenForm.test(token) || rejected.get(digestOf(token))) throw new TooManyTokensError(wait.seconds);
    const reserveSeconds = reserve.take(address);
    if (reserveSeconds > 0) throw new TooManyTokensError(Math.min(wait.seconds, reserveSeconds));
    return inSlowTurn(address, async () => {
      await sleep(slowMs);
      return judge(address, token, validate, reserve);
    });
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** At most `concurrency` parallel calls of each address. */
function createTurns(concurrency: number) {
  const places = new Map<string, { semaphore: ReturnType<typeof createSemaphore>; users: number }>();
  return async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const place = places.get(address) ?? { semaphore: createSemaphore(concurrency), users: 0 };
    places.set(address, place);
    place.users += 1;
    try {
      return await place.semaphore.run(work);
    } finally {
      place.users -= 1;
      if (place.users === 0) places.delete(address);
    }
  };
}
