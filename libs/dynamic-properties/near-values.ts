import { createRecentMap } from '#libs/service-kit';
import type { ValueCache } from './value-store.ts';

interface NearValue {
  valueId: string;
  value: unknown;
}

/** Properties whose parsed values a process keeps. */
const maxKept = 2000;
/** The shared cache keeps a value for somewhat longer than it may be shown. */
const marginSeconds = 60;

/**
 * Parsed values of this process, with the shared cache behind them. Whether a value is still good, only the store says.
 */
export function createNearValues(cache: ValueCache | null) {
  const kept = createRecentMap<string, NearValue>(maxKept);

  function keep(key: string, near: NearValue): NearValue {
    kept.set(key, near);
    return near;
  }

  return {
    /** Id of the value that needs not be sent again. */
    knownId: (key: string): string | null => kept.get(key)?.valueId ?? null,

    /** The value of an entry. Null when it was kept elsewhere and is lost. */
    async resolve(key: string, entry: { valueId: string; text: string | null }): Promise<{ value: unknown } | null> {
      const near = kept.get(key);
      if (near?.valueId === entry.valueId) return near;
      const text = entry.text ?? (await cache?.get(entry.valueId)) ?? null;
      return text === null ? null : keep(key, { valueId: entry.valueId, value: JSON.parse(text) });
    },

    /** Keeps a loaded value. True when the shared cache has it too. */
    async put(key: string, { valueId, value, text }: NearValue & { text: string }, seconds: number): Promise<boolean> {
      keep(key, { valueId, value });
      return (await cache?.set(valueId, text, seconds + marginSeconds)) ?? false;
    },
  };
}
