import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, doublingPause, type IdSource, type Logger, messageOf } from '#libs/domain';
import { labelOf, type PropertyDeclaration } from './declaration.ts';
import { faultOf, type Loaded } from './loaders.ts';
import { createNearValues } from './near-values.ts';
import { createSharedRuns } from './one-at-a-time.ts';
import type { PropertyEntry, PropertyKey, ValueCache, ValueStore } from './value-store.ts';

export interface SharedLoadsDeps {
  store: ValueStore;
  cache: ValueCache | null;
  clock: Clock;
  newUuid: IdSource;
  logger: Logger;
}

/** Loads of properties, shared by the callers of this process and, for locked properties, by all processes. */
export interface SharedLoads {
  /** The entry of a property in the store, as of this call or later. */
  lookUp(key: PropertyKey): Promise<PropertyEntry>;
  /** The value of an entry. Null when it was kept elsewhere and is lost. */
  valueOf(key: PropertyKey, entry: NonNullable<PropertyEntry['value']>): Promise<Loaded | null>;
  /**
   * Loads a property and keeps the result. `own`: whether this call started the load. `done` is null when another
   * process loaded it or the failure is known already.
   */
  refresh(declaration: PropertyDeclaration, key: PropertyKey): { own: boolean; done: Promise<Loaded | null> };
}

/** A lock outlives its load by this, so that the result is kept before another process may start. */
const lockMarginSeconds = 2;
/** Longest time that a failure is returned without another try. */
const maxErrorSeconds = 5;
const polls = { firstMs: 15, longestMs: 200 };

/** @param load calls the loader of a property for an entity, bounded and checked */
export function createSharedLoads(
  { store, cache, clock, newUuid, logger }: SharedLoadsDeps,
  load: (declaration: PropertyDeclaration, id: string) => Promise<unknown>,
): SharedLoads {
  const near = createNearValues(cache);
  const read = createSharedRuns<PropertyEntry>();
  const flights = new Map<string, Promise<Loaded | null>>();

  const readEntry = (key: PropertyKey) => store.read(key, near.knownId(textOf(key)));
  const lookUp = (key: PropertyKey) => read(textOf(key), () => readEntry(key));

  function refresh(declaration: PropertyDeclaration, key: PropertyKey): { own: boolean; done: Promise<Loaded | null> } {
    const text = textOf(key);
    const running = flights.get(text);
    if (running) return { own: false, done: running };
    const done = (declaration.locked ? loadLocked(declaration, key) : loadAndKeep(declaration, key)).finally(() =>
      flights.delete(text),
    );
    flights.set(text, done);
    return { own: true, done };
  }

  async function loadLocked(declaration: PropertyDeclaration, key: PropertyKey): Promise<Loaded | null> {
    const owner = newUuid();
    if (!(await store.lock(key, owner, declaration.timeoutSeconds + lockMarginSeconds))) {
      await untilUnlocked(key, declaration.timeoutSeconds + lockMarginSeconds);
      return null;
    }
    try {
      const entry = await readEntry(key);
      const known = entry.error !== null || (entry.value?.fresh && (await near.resolve(textOf(key), entry.value)));
      return known ? null : await loadAndKeep(declaration, key, entry);
    } finally {
      await store.unlock(key, owner).catch((error: unknown) => {
        logger.info({ property: labelOf(declaration), error: messageOf(error) }, 'cannot release lock; it will expire');
      });
    }
  }

  async function loadAndKeep(
    declaration: PropertyDeclaration,
    key: PropertyKey,
    before?: PropertyEntry,
  ): Promise<Loaded | null> {
    const { mark } = before ?? (await readEntry(key));
    const { ttlSeconds, staleWhileRevalidateSeconds: staleSeconds } = declaration;
    try {
      const value = await load(declaration, key.id);
      const valueId = newUuid();
      const text = JSON.stringify(value);
      const elsewhere = await near.put(textOf(key), { valueId, value, text }, ttlSeconds + staleSeconds);
      await store.keep(key, { valueId, text: elsewhere ? null : text, ttlSeconds, staleSeconds }, mark);
      return { value };
    } catch (error) {
      await store.keepError(key, faultOf(error), Math.min(maxErrorSeconds, Math.max(1, ttlSeconds)), mark);
      return null;
    }
  }

  async function untilUnlocked(key: PropertyKey, seconds: number): Promise<void> {
    const giveUpAt = clock.now() + seconds * 1000;
    for (let count = 0; clock.now() < giveUpAt; count += 1) {
      await sleep(doublingPause(count, polls));
      if (!(await lookUp(key)).loading) return;
    }
  }

  return { lookUp, valueOf: (key, entry) => near.resolve(textOf(key), entry), refresh };
}

function textOf({ kind, id, name }: PropertyKey): string {
  return JSON.stringify([kind, id, name]);
}
