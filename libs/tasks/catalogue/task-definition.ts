import type { JsonObject } from '#libs/domain';
import type { MisfirePolicy, SingleFlightMode } from '#libs/store';

/** Default schedule of a task. */
export interface TaskSchedule {
  /** Five fields, or six with the seconds last, as in the `interval` of an audit. */
  cron: string;
  /** IANA name. Default `UTC`. */
  timezone?: string;
  /** Default true. */
  enabled?: boolean;
  /** Default `run_once`. */
  misfirePolicy?: MisfirePolicy;
  /** Default 0. */
  maxJitterSeconds?: number;
  /** Default none. */
  args?: JsonObject;
}

/** A kind of background work: everything about it but the code that does it. */
export interface TaskDefinition {
  /** Lower case words with hyphens. */
  name: string;
  /** Purpose of the task, for operators. */
  description: string;
  /** JSON Schema (2020-12) of the arguments, an object. */
  argumentsSchema: JsonObject;
  /** `generic`: any worker. `masters`: the leader's only. `host`: the worker of the host that the request names. */
  queue: 'generic' | 'masters' | 'host';
  singleFlight: {
    mode: SingleFlightMode;
    /** Only with `exclusive`: other tasks that may not be live with it. */
    extraNames?: readonly string[];
    /** Arguments that are ignored when requests are compared. */
    ignoredArguments?: readonly string[];
    /** Longest wait for the slot. Default 300. */
    timeoutSeconds?: number;
  };
  /** Longest run of one attempt. */
  timeoutSeconds: number;
  /** Attempts after transient errors and lost workers. Default 5. */
  maxAttempts?: number;
  schedule?: TaskSchedule;
}

/** Task kinds by name. */
export type TaskCatalogue = ReadonlyMap<string, TaskDefinition>;

/**
 * Makes a catalogue.
 * @throws Error on a name that is duplicated, that is not a task, or extra names without `exclusive`.
 */
export function createTaskCatalogue(definitions: readonly TaskDefinition[]): TaskCatalogue {
  const catalogue = new Map(definitions.map((definition) => [definition.name, definition]));
  if (catalogue.size < definitions.length) throw new Error('a task is defined twice');
  for (const { name, singleFlight } of definitions) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`task name ${name} must be lower case words with hyphens`);
    const extra = singleFlight.extraNames ?? [];
    if (extra.length > 0 && singleFlight.mode !== 'exclusive') throw new Error(`${name}: extra names need exclusive`);
    const unknown = extra.find((other) => !catalogue.has(other));
    if (unknown !== undefined) throw new Error(`${name}: ${unknown} is not a task`);
  }
  return catalogue;
}
