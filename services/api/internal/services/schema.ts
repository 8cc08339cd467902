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
    instance_id: uuid('Registry id, new for each start.'),
    pid: Type.Integer(),
    version: Type.String(),
    state: words(
      ['STARTING', 'STARTED', 'STOPPING', 'STOPPED', 'FAILED', 'LOST'],
      'The last state that the process reported.',
    ),
    started_at: moment('Time of registration.'),
    last_seen_at: moment('Last heartbeat.'),
    lease_expires_at: moment('Time at which the process counts as lost without a further heartbeat.'),
    ended_at: nullableText('End time; null while the process lives.'),
    end_reason: nullableText('Reason of the end.'),
    failed_checks: Type.Integer({ description: 'Consecutive checks without a response.' }),
    accepts_work: Type.Boolean({
      description: 'Whether the process accepts work; false if its version is incompatible.',
    }),
    config_hash: nullableText('Version of the configuration; changes with it.'),
    config: freeObject('Configuration without secrets.'),
  },
  { $id: 'ServiceInstance', ...strict },
);

const pluginFault = Type.Object(
  {
    plugin: Type.String({ description: 'Entry of `VIGIL_PLUGINS`.' }),
    reason: Type.String({ description: 'Reason of the failure.' }),
    at: moment('Start time of the process.'),
  },
  { $id: 'ServicePluginFault', ...strict },
);

const service = Type.Object(
  {
    name: Type.String({ description: 'Name of the process, such as `watcher-applier#2`.' }),
    type: Type.String(),
    host: Type.String(),
    status: words(['Running', 'StillRunning', 'Failed', 'NotRunning'], 'Status by desired and observed state.'),
    public_status: words(['ACTIVE', 'FAILED'], 'Status in the terms of `/v1/services`.'),
    registered: Type.Boolean({ description: 'Whether the process should run.' }),
    degraded: Type.Boolean({ description: 'Whether restarts are too frequent; automatic restarts are then off.' }),
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
    type: Type.String({ description: 'Type of the event, such as `service.started`.' }),
    service: Type.String(),
    service_type: Type.String(),
    host: Type.String(),
    instance_id: nullableUuid('Id of the process.'),
    doc: freeObject('Further details, such as `reason` and `work`.'),
    at: moment('Time of the report.'),
    acknowledged_at: nullableText('Time at which the recovery coordinator handled the event.'),
  },
  { $id: 'ServiceEvent', ...strict },
);

const decision = Type.Object(
  {
    id: Type.Integer(),
    rule: Type.String({ description: 'Recovery rule, `R1` to `R10`, see docs/recover.md.' }),
    job: Type.String(),
    inputs: freeObject('Inputs of the decision.'),
    outcome: Type.String(),
    detail: Type.String(),
    duration_ms: Type.Integer({ description: 'Milliseconds since the start of the job.' }),
    fence: Type.Integer({ description: 'Fencing number of the deciding coordinator.' }),
    decided_at: moment('Time of the decision.'),
  },
  { $id: 'RecoveryDecision', ...strict },
);

const edge = Type.Object(
  {
    source: Type.String({ description: '`<kind>:<id>`.' }),
    relation: Type.String(),
    target: Type.String({ description: '`<kind>:<id>`.' }),
    attributes: freeObject('Marks, such as `degraded`.'),
    since: moment('Creation time.'),
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
    state: words(serviceRequestStates, 'Result.'),
    reason: nullableText('Reason of the cancellation.'),
    requested_by: Type.String(),
    requested_at: moment('Time of the request.'),
    deadline_at: moment('Deadline, after which the request is TIMED_OUT.'),
    ended_at: nullableText('End time.'),
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
    { status: words(['pass', 'warn', 'fail'], 'Worst status of the checks.') },
    { $id: 'CheckReport', additionalProperties: true },
  ),
  Type.Object({}, { $id: 'StatusReport', additionalProperties: true }),
];
