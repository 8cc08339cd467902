import type { Clock } from '#libs/domain';
import { createSemaphore } from '#libs/service-kit';
import { ApiFault } from '../http/faults/fault.ts';
import { createClientLimit } from '../http/request/client-limit.ts';

/** Too many tokens of one address were refused by Keystone. */
export class TooManyTokensError extends ApiFault {
  readonly waitSeconds: number;

  constructor(waitSeconds: number) {
    super(429, 'Too many tokens that are not valid; try again later');
    this.waitSeconds = waitSeconds;
  }
}

/** Admits a Keystone call for a token that is not cached. @throws TooManyTokensError */
export type UnknownTokenGate = <Result>(address: string, ask: () => Promise<Result | null>) => Promise<Result | null>;

/** Parallel Keystone calls for unknown tokens per address. Further calls of that address queue behind each other. */
const atOncePerAddress = 4;

/**
 * Bounds the load that unknown clients put on Keystone. Each address may have `perMinute` rejected tokens (read each
 * time, 0: unlimited) and a few parallel calls, so that other clients' new tokens are not delayed. Valid tokens do not
 * count, nor do tokens that Keystone was unavailable for.
 */
export function createUnknownTokenGate(perMinute: () => number, clock: Clock): UnknownTokenGate {
  const limit = createClientLimit(perMinute, clock);
  const places = new Map<string, { semaphore: ReturnType<typeof createSemaphore>; users: number }>();

  async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const place = places.get(address) ?? { semaphore: createSemaphore(atOncePerAddress), users: 0 };
    places.set(address, place);
    place.users += 1;
    try {
      return await place.semaphore.run(work);
    } finally {
      place.users -= 1;
      if (place.users === 0) places.delete(address);
    }
  }

  return (address, ask) =>
    inTurn(address, async () => {
      const waitSeconds = limit.take(address);
      if (waitSeconds > 0) throw new TooManyTokensError(waitSeconds);
      let isRefused = false;
      try {
        const answer = await ask();
        isRefused = answer === null;
        return answer;
      } finally {
        if (!isRefused) limit.giveBack(address);
      }
    });
}
