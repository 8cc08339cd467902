import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type IdSource,
  InvalidInputError,
  isTerminal,
  type JsonObject,
  type JsonValue,
  NotFoundError,
  sortedJson,
  taskStateTable,
} from '#libs/domain';
import type { Enqueued, Store, TaskRow, UnitOfWork } from '#libs/store';
import type { TaskCatalogue, TaskDefinition } from './catalogue/task-definition.ts';
import { SingleFlightTimeoutError, TaskFailedError } from './errors.ts';

/** Checks arguments against the schema of a task. @throws InvalidInputError that names the argument. */
export type ArgumentCheck = (definition: TaskDefinition, args: unknown) => JsonObject;

const defaultMaxAttempts = 5;
const defaultSingleTimeoutSeconds = 300;
const pollMs = 250;

/** Beside name and arguments of a request for a task. */
export interface TaskRequestOptions {
  /** User, or name of the requesting component. */
  createdBy: string;
  requestId?: string | null;
  /** Host whose worker runs it. Needed by tasks of the queue `host`, refused for others. */
  host?: string;
  /** Default: immediately. */
  runAfter?: Date;
  /** Higher runs first. Default 0. */
  priority?: number;
  /** Longest wait for the single-flight slot in seconds. Default: that of the task. */
  singleTimeoutSeconds?: number;
  /** The firing of a schedule that this task belongs to. */
  firing?: { scheduleName: string; fireTime: Date };
}

/** The result for a waiting caller. */
export interface TaskOutcome {
  uuid: string;
  coalesced: boolean;
  result: JsonValue;
}

/** How a task is waited for. */
export interface WaitOptions extends TaskRequestOptions {
  /** Called instead of waiting when the task existed already. Its return value becomes the result. */
  onCoalesced?: (uuid: string) => Promise<JsonValue>;
  /** Longest wait for the end, in seconds. Default: single-flight wait plus all its attempts' time limits once. */
  waitSeconds?: number;
  signal?: AbortSignal;
}

/** Requests background tasks. */
export interface TaskRequests {
  /**
   * Adds a task, in the transaction of `unit` when given. @throws NotFoundError for a name that is not in the
   * catalogue, InvalidInputError for arguments or a host that do not fit
   */
  enqueue(name: string, args: JsonObject, options: TaskRequestOptions, unit?: UnitOfWork): Promise<Enqueued>;
  /**
   * Adds a task and waits for its end, or for that of the one it was coalesced with.
   * @throws TaskFailedError, SingleFlightTimeoutError
   */
  run(name: string, args: JsonObject, options: WaitOptions): Promise<TaskOutcome>;
}

export interface TaskRequestsDeps {
  store: Pick<Store, 'db'>;
  catalogue: TaskCatalogue;
  newUuid: IdSource;
}

/** Requests tasks of the catalogue, whose argument schemas are checked here. */
export function createTaskRequests({ store, catalogue, newUuid }: TaskRequestsDeps): TaskRequests {
  const checkArguments = createArgumentCheck();

  function definitionOf(name: string) {
    const definition = catalogue.get(name);
    if (!definition) throw new NotFoundError('Task', name);
    return definition;
  }

  async function enqueue(name: string, args: JsonObject, options: TaskRequestOptions, unit: UnitOfWork = store.db) {
    const definition = definitionOf(name);
    const { mode, extraNames = [], ignoredArguments, timeoutSeconds } = definition.singleFlight;
    const checked = checkArguments(definition, args);
    return unit.tasks.enqueue({
      uuid: newUuid(),
      name,
      args: checked,
      argsKey: argsKeyOf(checked, ignoredArguments),
      queue: queueOf(definition.queue, options.host),
      mode,
      extraNames,
      priority: options.priority ?? 0,
      runAfter: options.runAfter ?? null,
      maxAttempts: definition.maxAttempts ?? defaultMaxAttempts,
      timeoutSeconds: definition.timeoutSeconds,
      singleTimeoutSeconds: options.singleTimeoutSeconds ?? timeoutSeconds ?? defaultSingleTimeoutSeconds,
      createdBy: options.createdBy,
      requestId: options.requestId ?? null,
      scheduleName: options.firing?.scheduleName ?? null,
      fireTime: options.firing?.fireTime ?? null,
    });
  }

  async function waitForEnd(uuid: string, name: string, seconds: number, signal?: AbortSignal): Promise<TaskRow> {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const task = await store.db.tasks.get(uuid);
      if (isTerminal(taskStateTable, task.state)) return task;
      if (performance.now() >= deadline) throw new SingleFlightTimeoutError(name, uuid, seconds);
      await sleep(pollMs, undefined, signal ? { signal } : {});
    }
  }

  return {
    enqueue,
    async run(name, args, options) {
      const { uuid, coalesced } = await enqueue(name, args, options);
      if (coalesced && options.onCoalesced) return { uuid, coalesced, result: await options.onCoalesced(uuid) };
      const { singleFlight, timeoutSeconds } = definitionOf(name);
      const single = options.singleTimeoutSeconds ?? singleFlight.timeoutSeconds ?? defaultSingleTimeoutSeconds;
      const task = await waitForEnd(uuid, name, options.waitSeconds ?? single + timeoutSeconds, options.signal);
      if (task.state !== 'SUCCEEDED' && task.error?.code === 'single_flight_timeout')
        throw new SingleFlightTimeoutError(name, uuid, task.singleTimeoutSeconds);
      if (task.state !== 'SUCCEEDED') throw new TaskFailedError(uuid, task.error);
      return { uuid, coalesced, result: task.result };
    },
  };
}

function queueOf(queue: 'generic' | 'masters' | 'host', host: string | undefined): string {
  if (queue !== 'host') {
    if (host !== undefined) throw new InvalidInputError('host', 'this task does not run on a host of choice');
    return queue;
  }
  if (!host) throw new InvalidInputError('host', 'this task needs a host to run on');
  return `host.${host}`;
}

/** Digest of the arguments without the `ignored` ones. The order of keys does not matter. */
function argsKeyOf(args: JsonObject, ignored: readonly string[] = []): string {
  const counted = Object.entries(args).filter(([name]) => !ignored.includes(name));
  return createHash('sha256')
    .update(JSON.stringify(sortedJson(Object.fromEntries(counted))))
    .digest('base64url');
}

/** Makes a check that compiles each schema once. */
export function createArgumentCheck(): ArgumentCheck {
  // The schemas are ours, and a test checks them: reading the meta-schema for that takes 20 ms.
  const ajv = new Ajv2020({ allErrors: false, strict: false, validateSchema: false });
  const compiled = new Map<string, ValidateFunction>();
  return (definition, args) => {
    const validate = compiled.get(definition.name) ?? ajv.compile(definition.argumentsSchema);
    compiled.set(definition.name, validate);
    if (validate(args)) return args as JsonObject;
    const [fault] = validate.errors ?? [];
    const path = `args${(fault?.instancePath ?? '').replaceAll('/', '.')}`;
    const extra = fault?.keyword === 'additionalProperties' ? ` (${fault.params.additionalProperty})` : '';
    throw new InvalidInputError(path, `${fault?.message ?? 'is not acceptable'}${extra}`);
  };
}
