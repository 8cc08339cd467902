/** Requests to which a fault applies. All given conditions must match. */
export interface RequestMatch {
  service?: 'identity' | 'compute' | 'placement' | 'volume' | 'baremetal';
  /** HTTP method. Default any. */
  method?: string;
  /** Regular expression over the path with query, such as `/servers/[^/]+/action`. */
  path?: string;
}

interface FaultCommon {
  /** 0 to 1. Default 1. */
  probability?: number;
  /** Number of requests or migrations after which the fault is removed. Default: unlimited. */
  count?: number;
}

/**
 * A fault on request.
 * - `latency`: effect and response are delayed by `milliseconds` (and up to `jitter_milliseconds` more). The effect
 * occurs even if the client has left.
 * - `error`: no effect. The response has `status` (default 503) and `retry_after` seconds if given.
 * - `drop`: the request takes effect, the connection ends without a response.
 * - `late`: the connection ends without a response `cut_milliseconds` (default 0) after the request arrived. The
 * request takes effect `milliseconds` (and up to `jitter_milliseconds` more) after its arrival.
 * - `reset`: no effect, the connection ends without a response.
 * - `hang`: no effect and no response until the fault is removed or `milliseconds` have passed.
 * - `migration-error`: migrations of a server, or from or to a host, fail at a stage.
 * - `migration-stall`: copies from or to a host (or all) make no progress.
 * - `host-down`: the host's compute service stops reporting. Its migrations fail.
 * - `cell-down`: the database of a cell does not respond. Nova omits its hypervisors, and lists its services and
 * servers only with the status UNKNOWN.
 * - `volume-error`: migrations and changes of type of a volume, or from or to a pool, fail.
 * - `volume-stall`: they make no progress.
 * - `power-error`: changes of the power of a node (or all) end in `last_error`.
 */
export type FaultDefinition =
  | (FaultCommon & { kind: 'latency'; match?: RequestMatch; milliseconds: number; jitter_milliseconds?: number })
  | (FaultCommon & { kind: 'error'; match?: RequestMatch; status?: number; message?: string; retry_after?: number })
  | (FaultCommon & { kind: 'drop'; match?: RequestMatch })
  | (FaultCommon & {
      kind: 'late';
      match?: RequestMatch;
      milliseconds: number;
      jitter_milliseconds?: number;
      cut_milliseconds?: number;
    })
  | (FaultCommon & { kind: 'reset'; match?: RequestMatch })
  | (FaultCommon & { kind: 'hang'; match?: RequestMatch; milliseconds?: number })
  | (FaultCommon & {
      kind: 'migration-error';
      server?: string;
      host?: string;
      stage?: 'schedule' | 'running';
      message?: string;
    })
  | { kind: 'migration-stall'; host?: string }
  | { kind: 'host-down'; host: string }
  | { kind: 'cell-down'; cell: string }
  | (FaultCommon & { kind: 'volume-error'; volume?: string; pool?: string; message?: string })
  | { kind: 'volume-stall'; volume?: string; pool?: string }
  | (FaultCommon & { kind: 'power-error'; node?: string; message?: string });

/** An active fault. */
export interface ActiveFault {
  id: number;
  definition: FaultDefinition;
  /** Number of its uses. */
  hits: number;
}

const matchSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    service: { enum: ['identity', 'compute', 'placement', 'volume', 'baremetal'] },
    method: { type: 'string' },
    path: { type: 'string', format: 'regex' },
  },
} as const;

/** JSON schema of a fault in the control API. */
export const faultSchema = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    kind: {
      enum: [
        'latency',
        'error',
        'drop',
        'late',
        'reset',
        'hang',
        'migration-error',
        'migration-stall',
        'host-down',
        'cell-down',
        'volume-error',
        'volume-stall',
        'power-error',
      ],
    },
    match: matchSchema,
    probability: { type: 'number', minimum: 0, maximum: 1 },
    count: { type: 'integer', minimum: 1 },
    milliseconds: { type: 'number', minimum: 0, maximum: 3_600_000 },
    jitter_milliseconds: { type: 'number', minimum: 0, maximum: 3_600_000 },
    cut_milliseconds: { type: 'number', minimum: 0, maximum: 3_600_000 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    message: { type: 'string' },
    retry_after: { type: 'integer', minimum: 0 },
    server: { type: 'string' },
    host: { type: 'string' },
    cell: { type: 'string' },
    stage: { enum: ['schedule', 'running'] },
    volume: { type: 'string' },
    pool: { type: 'string' },
    node: { type: 'string' },
  },
  anyOf: [
    {
      properties: { kind: { not: { enum: ['latency', 'late', 'host-down', 'cell-down'] } } },
    },
    { properties: { kind: { enum: ['latency', 'late'] } }, required: ['milliseconds'] },
    { properties: { kind: { const: 'host-down' } }, required: ['host'] },
    { properties: { kind: { const: 'cell-down' } }, required: ['cell'] },
  ],
} as const;
