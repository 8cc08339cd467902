import { type Clock, type IdSource, type Logger, messageOf } from '#libs/domain';
import { type Metrics, withTimeLimit } from '#libs/service-kit';
import type { BackendLimits } from './backend-limits.ts';
import { checkDeclarations, labelOf, type PropertyDeclaration } from './declaration.ts';
import { PropertyUnknownError } from './errors.ts';
import { createLoaders } from './loaders.ts';
import { failedReading, freshReading, lateReading, type PropertyReading, readingOf } from './property-reading.ts';
import { createSharedLoads } from './shared-loads.ts';
import type { PropertyKey, ValueCache, ValueStore } from './value-store.ts';

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

/** @throws InvalidInputError when a declaration is wrong. */
export function createDynamicProperties(
  deps: DynamicPropertiesDeps,
  { declarations, backends }: DynamicPropertiesOptions,
): DynamicProperties {
  checkDeclarations(declarations, Object.keys(backends));
  const { store, clock, logger } = deps;
  const byName = new Map(declarations.map((declaration) => [labelOf(declaration), declaration]));
  const load = createLoaders(deps, backends);
  const loads = createSharedLoads(deps, load);
  const reads = deps.metrics.counter('vigil_property_reads_total', 'Reads of dynamic properties', [
    'property',
    'outcome',
  ]);

  /** Known reading of a property, and whether it is a response. */
  async function recall(key: PropertyKey): Promise<{ known: PropertyReading; answers: 'now' | 'meanwhile' | 'not' }> {
    const entry = await loads.lookUp(key);
    const found = entry.value && (await loads.valueOf(key, entry.value));
    const known = readingOf(entry, found);
    if (known.error || (found && entry.value?.fresh)) return { known, answers: 'now' };
    return { known, answers: found && entry.value?.usable ? 'meanwhile' : 'not' };
  }

  async function readKept(declaration: PropertyDeclaration, key: PropertyKey): Promise<PropertyReading> {
    const giveUpAt = clock.now() + declaration.timeoutSeconds * 1000;
    for (;;) {
      const { known, answers } = await recall(key);
      if (answers === 'now') return known;
      const { own, done } = loads.refresh(declaration, key);
      if (answers === 'meanwhile') {
        done.catch((error: unknown) => logger.info({ error: messageOf(error) }, 'cannot refresh property'));
        return known;
      }
      const loaded = await withTimeLimit<Awaited<typeof done> | undefined>(
        done,
        giveUpAt - clock.now(),
        () => undefined,
      );
      // A load that started after this read cannot be outdated for it, regardless of invalidations.
      if (own && loaded) return freshReading(loaded.value);
      if (clock.now() >= giveUpAt) return lateReading(declaration, known);
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
    const property = labelOf(declaration);
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
