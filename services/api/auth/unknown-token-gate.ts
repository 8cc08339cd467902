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

/** Lets a question to Keystone about a token pass that is not known here. @throws TooManyTokensError */
export type UnknownTokenGate = <Answer>(address: string, ask: () => Promise<Answer | null>) => Promise<Answer | null>;

/** Questions about unknown tokens of one address at once. Further ones wait for each other, not others for them. */
const atOncePerAddress = 4;

/**
 * Bounds what strangers can make Keystone do: `perMinute` refused tokens an address (asked each time, 0: no limit), and
 * a few questions of an address at once, so that new tokens of others are answered as fast as ever. Tokens that turn
 * out to be valid do not count, and neither do those that Keystone could not be asked about.
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
