import { NotFoundError } from '#libs/domain';
import type { PropertyDeclaration } from '#libs/dynamic-properties';
import { callRpc, isRefusal, type ServiceResponse, serviceTopic } from '#libs/messaging';
import type { RouteDeps } from '../../api-deps.ts';
import { ApiFault } from '../../http/faults/fault.ts';
import { planProgress as progressOf } from '../../views/action-plan-body.ts';

const count = { type: 'integer', minimum: 0 };

/** Properties from the database and the other processes: progress of plans, Check of services. */
export function ownProperties(deps: Pick<RouteDeps, 'store' | 'bus'>): PropertyDeclaration[] {
  return [planProgress(deps), serviceCheck(deps)];
}

function planProgress({ store }: Pick<RouteDeps, 'store'>): PropertyDeclaration {
  return {
    kind: 'action_plan',
    name: 'progress',
    description: 'Progress of the plan. A change of the plan or of an action invalidates it at once.',
    backend: 'database',
    ttlSeconds: 60,
    staleWhileRevalidateSeconds: 0,
    locked: true,
    timeoutSeconds: 10,
    schema: {
      type: 'object',
      required: ['state', 'total', 'ended', 'running', 'percent', 'by_state'],
      properties: {
        state: { type: 'string' },
        total: count,
        ended: count,
        running: count,
        percent: { type: 'number', minimum: 0, maximum: 100 },
        by_state: { type: 'object', additionalProperties: count },
      },
      additionalProperties: false,
    },
    async load(id) {
      const plan = await store.db.actionPlans.get(id);
      return { state: plan.state, ...progressOf(await store.db.actions.countStates([plan.id])) };
    },
  };
}

function serviceCheck({ store, bus }: Pick<RouteDeps, 'store' | 'bus'>): PropertyDeclaration {
  return {
    kind: 'service',
    name: 'check',
    description: 'Health of the service, as it reports; the id is `name@host`.',
    backend: 'bus',
    ttlSeconds: 10,
    staleWhileRevalidateSeconds: 10,
    locked: true,
    timeoutSeconds: 15,
    schema: { type: 'object' },
    async load(id) {
      const rows = await store.db.registry.matrix();
      const row = rows.find(({ serviceName, host }) => `${serviceName}@${host}` === id);
      if (!row) throw new NotFoundError('Service', id);
      if (!row.instance.isAlive) throw new ApiFault(409, `${id} does not run: it is ${row.status}`);
      if (bus === null) throw new ApiFault(503, 'No message bus is configured');
      const response = await callRpc(bus, serviceTopic(row.instance.instanceId), {
        schema: 'service.question/1',
        op: 'check',
      });
      if (isRefusal(response)) throw new ApiFault(502, response.error.message);
      return (response as ServiceResponse).result;
    },
  };
}
