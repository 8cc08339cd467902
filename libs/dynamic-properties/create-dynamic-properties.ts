import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type IdSource, type Logger, messageOf } from '#libs/domain';
import { type Metrics, withTimeLimit } from '#libs/service-kit';
import type { BackendLimits } from './backend-limits.ts';
import { checkDeclarations, type PropertyDeclaration } from './declaration.ts';
import { PropertyLateError, PropertyUnknownError } from './errors.ts';
import { createLoaders, faultOf, type Loaded } from './loaders.ts';
import { createNearValues } from './near-values.ts';
import { createSharedRuns } from './one-at-a-time.ts';
import type { PropertyEntry, PropertyFault, PropertyKey, ValueCache, ValueStore } from './value-store.ts';

/** A property as read. */
export interface PropertyReading {
  /** The value. Null also when there is none, and then `ageSeconds` is null. */
  value: unknown;
  ageSeconds: number | null;
  /** True when it is older than its time to live or may be outdated. */
  stale: boolean;
  /** Why it could not be loaded. `value` is then the last good one. */
  error: PropertyFault | null;
}

/** Collaborators of dynamic properties. */
export interface DynamicPropertiesDeps {
  store: ValueStore;
  /** Where values are kept for all processes. Null: in the store. */
  cache: ValueCache | null;
  clock: Clock;
  newUuid: IdSource;
  logger: Logger;
  metrics: Metrics;
}

/** The declared properties, and the limit of parallel loads. */
export interface DynamicPropertiesOptions {
  declarations: readonly PropertyDeclaration[];
  /** Limits of each backend, by name. */
  backends: Readonly<Record<string, BackendLimits>>;
}

/** Properties that are loaded when requested and shared by all readers. */
export interface DynamicProperties {
  declarations(): readonly PropertyDeclaration[];
  /**
   * The value of one property.
   * @throws PropertyUnknownError; PropertyLateError when it is not loaded in time and there is no earlier value.
   */
  read(kind: string, id: string, name: string): Promise<PropertyReading>;
  /** Every property of an entity by name. One that is late has that as its error. */
  readAll(kind: string, id: string): Promise<Record<string, PropertyReading>>;
  /** Outdates cached values: one property, or all of the entity when `name` is null. */
  invalidate(kind: string, id: string, name: string | null): Promise<void>;
}

/** A lock outlives its load by this, so that the result is kept before another process may start. */
const lockMarginSeconds = 2;
/** Longest time that a failure is returned without another try. */
const maxErrorSeconds = 5;
const pollMs = { first: 15, last: 200 };

/** @throws InvalidInputError when a declaration is wrong. */
export function createDynamicProperties(
  deps: DynamicPropertiesDeps,
  { declarations, backends }: DynamicPropertiesOptions,
): DynamicProperties {
  checkDeclarations(declarations, Object.keys(backends));
  const { store, clock, newUuid, logger } = deps;
  const byName = new Map(declarations.map((declaration) => [nameOf(declaration), declaration]));
  const near = createNearValues(deps.cache);
  const load = createLoaders(deps, backends);
  const look = createSharedRuns<PropertyEntry>();
  const flights = new Map<string, Promise<Loaded | null>>();
  const reads = deps.metrics.counter('vigil_property_reads_total', 'Reads of dynamic properties', [
    'property',
    'outcome',
  ]);

  const lookUp = (key: PropertyKey): Promise<PropertyEntry> =>
    look(textOf(key), () => store.read(key, near.knownId(textOf(key))));

  /** Loads once for all concurrent callers. Null when another process did or the failure is known already. */
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
      const entry = await store.read(key, near.knownId(textOf(key)));
      const known = entry.error !== null || (entry.value?.fresh && (await near.resolve(textOf(key), entry.value)));
      return known ? null : await loadAndKeep(declaration, key, entry);
    } finally {
      await store.unlock(key, owner).catch((error: unknown) => {
        logger.info({ property: nameOf(declaration), error: messageOf(error) }, 'lock expires on its own');
      });
    }
  }

  async function loadAndKeep(
    declaration: PropertyDeclaration,
    key: PropertyKey,
    before?: PropertyEntry,
  ): Promise<Loaded | null> {
    const { mark } = before ?? (await store.read(key, near.knownId(textOf(key))));
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
    for (let pause = pollMs.first; clock.now() < giveUpAt; pause = Math.min(pollMs.last, pause * 2)) {
      await sleep(pause);
      if (!(await lookUp(key)).loading) return;
    }
  }

  /** Known reading of a property, and whether it is a response. */
  async function recall(key: PropertyKey): Promise<{ known: PropertyReading; answers: 'now' | 'meanwhile' | 'not' }> {
    const entry = await lookUp(key);
    const found = entry.value && (await near.resolve(textOf(key), entry.value));
    const known = readingOf(entry, found);
    if (known.error || (found && entry.value?.fresh)) return { known, answers: 'now' };
    return { known, answers: found && entry.value?.usable ? 'meanwhile' : 'not' };
  }

  async function readKept(declaration: PropertyDeclaration, key: PropertyKey): Promise<PropertyReading> {
    const giveUpAt = clock.now() + declaration.timeoutSeconds * 1000;
    for (;;) {
      const { known, answers } = await recall(key);
      if (answers === 'now') return known;
      const { own, done } = refresh(declaration, key);
      if (answers === 'meanwhile') {
        done.catch((error: unknown) => logger.info({ error: messageOf(error) }, 'a property could not be refreshed'));
        return known;
      }
      const loaded = await withTimeLimit<Awaited<typeof done> | undefined>(
        done,
        giveUpAt - clock.now(),
        () => undefined,
      );
      // A load that started after this read cannot be outdated for it, regardless of invalidations.
      if (own && loaded) return freshReading(loaded.value);
      if (clock.now() >= giveUpAt) return late(declaration, known);
    }
  }

  async function readNow(declaration: PropertyDeclaration, id: string): Promise<PropertyReading> {
    try {
      return freshReading(await load(declaration, id));
    } catch (error) {
      return failedReading(error);
    }
  }

  async function read(kind: string, id: string, name: string): Promise<PropertyReading> {
    const declaration = byName.get(`${kind}.${name}`);
    if (!declaration) throw new PropertyUnknownError(kind, name);
    const property = nameOf(declaration);
    try {
      const reading =
        declaration.ttlSeconds === 0 ? await readNow(declaration, id) : await readKept(declaration, { kind, id, name });
      reads.inc({ property, outcome: reading.error ? 'error' : reading.stale ? 'stale' : 'fresh' });
      return reading;
    } catch (error) {
      reads.inc({ property, outcome: 'late' });
      throw error;
    }
  }

  return {
    declarations: () => declarations,
    read,
    async readAll(kind, id) {
      const names = declarations.filter((declaration) => declaration.kind === kind).map(({ name }) => name);
      if (names.length === 0) throw new PropertyUnknownError(kind, null);
      const readings = await Promise.all(
        names.map(async (name): Promise<[string, PropertyReading]> => {
          return [name, await read(kind, id, name).catch(failedReading)];
        }),
      );
      return Object.fromEntries(readings);
    },
    async invalidate(kind, id, name) {
      const isKnown = declarations.some((known) => known.kind === kind && (name === null || known.name === name));
      if (!isKnown) throw new PropertyUnknownError(kind, name);
      await store.invalidate({ kind, id, name });
    },
  };
}

function readingOf(entry: PropertyEntry, found: Loaded | null): PropertyReading {
  const isFresh = found !== null && entry.value?.fresh === true;
  return {
    value: found?.value ?? null,
    ageSeconds: found && entry.value ? entry.value.ageSeconds : null,
    stale: found !== null && !isFresh,
    // A failure does not count when another process succeeded afterwards.
    error: isFresh ? null : entry.error,
  };
}

function freshReading(value: unknown): PropertyReading {
  return { value, ageSeconds: 0, stale: false, error: null };
}

function failedReading(error: unknown): PropertyReading {
  return { value: null, ageSeconds: null, stale: false, error: faultOf(error) };
}

function late(declaration: PropertyDeclaration, last: PropertyReading): PropertyReading {
  const error = new PropertyLateError(nameOf(declaration), declaration.timeoutSeconds);
  if (last.ageSeconds === null) throw error;
  return { ...last, stale: true, error: faultOf(error) };
}

function nameOf({ kind, name }: PropertyDeclaration): string {
  return `${kind}.${name}`;
}

function textOf({ kind, id, name }: PropertyKey): string {
  return JSON.stringify([kind, id, name]);
}
