import { Type } from 'typebox';
import { serviceRequestStates } from '#libs/domain';
import {
  component,
  freeObject,
  moment,
  nullableText,
  nullableUuid,
  strict,
  uuid,
  words,
} from '../../openapi/shared-schemas.ts';

const next = Type.Unsafe({ type: ['integer', 'null'], description: 'Value of `before` for the next page.' });

const instance = Type.Object(
  {
    instance_id: uuid('Registry id; fresh for each start.'),
    pid: Type.Integer(),
    version: Type.String(),
    state: words(
      ['STARTING', 'STARTED', 'STOPPING', 'STOPPED', 'FAILED', 'LOST'],
      'The last state that the process reported.',
    ),
    started_at: moment('When it registered.'),
    last_seen_at: moment('Last heartbeat.'),
    lease_expires_at: moment('When it counts as lost without a further heartbeat.'),
    ended_at: nullableText('When it ended; null while it lives.'),
    end_reason: nullableText('Why it ended.'),
    failed_checks: Type.Integer({ description: 'Consecutive checks without a response.' }),
    accepts_work: Type.Boolean({ description: 'False when its version is incompatible.' }),
    config_hash: nullableText('Changes with every change of the configuration.'),
    config: freeObject('Configuration without secrets.'),
  },
  { $id: 'ServiceInstance', ...strict },
);

const pluginFault = Type.Object(
  {
    plugin: Type.String({ description: 'Entry of `VIGIL_PLUGINS`.' }),
    reason: Type.String({ description: 'Why it could not be loaded.' }),
    at: moment('When the process started.'),
  },
  { $id: 'ServicePluginFault', ...strict },
);

const service = Type.Object(
  {
    name: Type.String({ description: 'Such as `watcher-applier#2`.' }),
    type: Type.String(),
    host: Type.String(),
    status: words(['Running', 'StillRunning', 'Failed', 'NotRunning'], 'Desired against observed.'),
    public_status: words(['ACTIVE', 'FAILED'], 'The same in the terms of `/v1/services`.'),
    registered: Type.Boolean({ description: 'Whether it should run.' }),
    degraded: Type.Boolean({ description: 'In a restart storm; automatic restarts are off.' }),
    plugin_faults: Type.Array(component('ServicePluginFault'), {
      description: 'Configured plugins that failed to load.',
    }),
    instance: component('ServiceInstance'),
  },
  { $id: 'ServiceStatusRow', ...strict },
);

const event = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String({ description: 'Such as `service.started`.' }),
    service: Type.String(),
    service_type: Type.String(),
    host: Type.String(),
    instance_id: nullableUuid('Its process.'),
    doc: freeObject('Further details, such as `reason` and `work`.'),
    at: moment('When it was reported.'),
    acknowledged_at: nullableText('When the recovery coordinator handled it.'),
  },
  { $id: 'ServiceEvent', ...strict },
);

const decision = Type.Object(
  {
    id: Type.Integer(),
    rule: Type.String({ description: '`R1` to `R10`, see docs/recover.md.' }),
    job: Type.String(),
    inputs: freeObject('Inputs of the decision.'),
    outcome: Type.String(),
    detail: Type.String(),
    duration_ms: Type.Integer({ description: 'From the start of the job.' }),
    fence: Type.Integer({ description: 'Of the coordinator that decided.' }),
    decided_at: moment('When.'),
  },
  { $id: 'RecoveryDecision', ...strict },
);

const edge = Type.Object(
  {
    source: Type.String({ description: '`<kind>:<id>`.' }),
    relation: Type.String(),
    target: Type.String({ description: '`<kind>:<id>`.' }),
    attributes: freeObject('Marks, such as `degraded`.'),
    since: moment('When it was added.'),
  },
  { $id: 'GraphEdge', ...strict },
);

const node = Type.Object(
  { key: Type.String({ description: '`<kind>:<id>`.' }), kind: Type.String(), id: Type.String() },
  { $id: 'GraphNode', ...strict },
);

const request = Type.Object(
  {
    id: uuid('Id of the request.'),
    kind: words(['start', 'stop', 'restart'], 'Requested operation.'),
    service: Type.String(),
    host: Type.String(),
    state: words(serviceRequestStates, 'Its result.'),
    reason: nullableText('Why it was cancelled.'),
    requested_by: Type.String(),
    requested_at: moment('When.'),
    deadline_at: moment('When it ends as TIMED_OUT.'),
    ended_at: nullableText('When it ended.'),
  },
  { $id: 'ServiceRequest', ...strict },
);

/** Components of the routes about services. */
export const serviceSchemas = [
  instance,
  pluginFault,
  service,
  event,
  decision,
  edge,
  node,
  request,
  Type.Object({ services: Type.Array(component('ServiceStatusRow')) }, { $id: 'RegisteredServiceList', ...strict }),
  Type.Object({ events: Type.Array(component('ServiceEvent')), next }, { $id: 'ServiceEventList', ...strict }),
  Type.Object(
    { decisions: Type.Array(component('RecoveryDecision')), next },
    { $id: 'RecoveryDecisionList', ...strict },
  ),
  Type.Object(
    { nodes: Type.Array(component('GraphNode')), edges: Type.Array(component('GraphEdge')) },
    { $id: 'ResourceGraph', ...strict },
  ),
  Type.Object(
    { status: words(['pass', 'warn', 'fail'], 'The worst of the checks.') },
    { $id: 'CheckReport', additionalProperties: true },
  ),
  Type.Object({}, { $id: 'StatusReport', additionalProperties: true }),
];
