import type { LoggedRequest } from '../../stack/cloud-log.ts';
import type {
  ActionRecord,
  HostSample,
  HostState,
  MigrationRecord,
  PlanRecord,
  SoakRecord,
  StateAt,
} from '../record.ts';

/** Start of the recorded time, milliseconds of the epoch. */
export const t0 = Date.UTC(2026, 0, 1, 12);

/** Milliseconds since 1970, this number of seconds after the start. */
export const at = (seconds: number): number => t0 + seconds * 1000;

/** A hand-made record that grows call by call. Each call returns the record. */
export interface RecordMaker {
  record(changes?: Partial<SoakRecord>): SoakRecord;
  /** A plan with states at seconds. */
  plan(uuid: string, states: Record<string, number>, changes?: Partial<PlanRecord>): RecordMaker;
  /** A live migration that an action of the plan requested. */
  migrate(plan: string, move: Move): RecordMaker;
  /** A change of a compute service. Without a plan an operator made it. */
  setService(plan: string | null, host: string, status: 'enabled' | 'disabled', second: number): RecordMaker;
  /** Samples once a second between two seconds. */
  sample(from: number, to: number, hosts: readonly Partial<HostState>[]): RecordMaker;
}

interface Move {
  from: string;
  to: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Default `completed`. */
  status?: string;
  reason?: string;
  /** Status of the response. Default 202. */
  response?: number;
}

/** Starts an empty record. */
export function makeRecord(): RecordMaker {
  const plans = new Map<string, PlanRecord>();
  const actions = new Map<string, ActionRecord>();
  const requests: LoggedRequest[] = [];
  const migrations: MigrationRecord[] = [];
  const samples: HostSample[] = [];
  const serviceHosts = new Map<string, string>();

  function actionOf(plan: string, type: string, input: Record<string, unknown>): string {
    const uuid = `00000000-0000-4000-8000-${String(actions.size + 1).padStart(12, '0')}`;
    actions.set(uuid, { uuid, planUuid: plan, type, input, states: [], message: null });
    return uuid;
  }

  function request(action: string | null, fields: Partial<LoggedRequest>): LoggedRequest {
    const number = requests.length + 1;
    const logged: LoggedRequest = {
      ...{ number, method: 'POST', path: '', body: null, status: 202, at: t0, pending: false, doneAt: null },
      requestId: `req-cloud-${number}`,
      globalRequestId: action === null ? null : `req-${action}`,
      ...fields,
    };
    requests.push(logged);
    return logged;
  }

  const maker: RecordMaker = {
    record: (changes) => ({
      ...{ plans, actions, audits: new Map(), requests, migrations, samples, serviceHosts, scopes: new Map() },
      ...{ outages: [], ends: [], resources: [], startMs: t0, endMs: at(3600), ...changes },
    }),
    plan(uuid, states, changes) {
      const times: StateAt[] = Object.entries(states).map(([state, second]) => ({ state, atMs: at(second) }));
      const createdMs = times[0]?.atMs ?? t0;
      const fields = { strategy: 'basic', auditUuid: 'audit', message: null, outcome: null, efficacy: [] };
      plans.set(uuid, { uuid, createdMs, states: times, ...fields, ...changes });
      return maker;
    },
    migrate(plan, { from, to, start, end, status = 'completed', reason = null as string | null, response = 202 }) {
      const action = actionOf(plan, 'migrate', { source_node: from, destination_node: to });
      const server = `server-${actions.size}`;
      const { requestId } = request(action, {
        path: `/compute/v2.1/servers/${server}/action`,
        body: { 'os-migrateLive': { host: to } },
        ...{ status: response, at: at(start), doneAt: at(start) },
      });
      if (response < 300) {
        migrations.push({
          ...{ id: migrations.length + 1, server, status, source: from, dest: to, reason },
          ...{ created_at: at(start), updated_at: at(end), request_id: requestId },
        });
      }
      return maker;
    },
    setService(plan, host, status, second) {
      serviceHosts.set(`service-${host}`, host);
      const action = plan === null ? null : actionOf(plan, 'change_nova_service_state', { resource_name: host });
      const path = `/compute/v2.1/os-services/service-${host}`;
      request(action, { method: 'PUT', path, body: { status }, status: 200, at: at(second), doneAt: at(second) });
      return maker;
    },
    sample(from, to, hosts) {
      for (let second = from; second <= to; second += 1) {
        samples.push({
          atMs: at(second),
          hosts: hosts.map((host, place) => ({
            ...{ name: `compute-${place + 1}`, status: 'enabled', alive: true, servers: 1, cpu_percent: 0 },
            used: { VCPU: 0, MEMORY_MB: 0 },
            ...host,
          })),
        });
      }
      return maker;
    },
  };
  return maker;
}
