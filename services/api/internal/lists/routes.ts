import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { hostQuantities, hostShare, NotFoundError, type PlanHosts } from '#libs/domain';
import { type ActionPlanView, type AuditView, auditSorts, type ListRequest, planSorts } from '#libs/store';
import {
  pageArguments,
  type QueryArguments,
  queryArguments,
  requireUuid,
  textArgument,
  uuidArgument,
} from '../../collections/query-arguments.ts';
import { badRequest } from '../../http/faults/fault.ts';
import { timestamp } from '../../http/watcher-text/timestamps.ts';
import { listRules } from '../../route-rules.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { noteLogPosition } from '../note-log-position.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { createPlanHeadlines, type HeadlinedPlan } from './plan-headline.ts';
import { listSchemas } from './schema.ts';

const names = ['search', 'state', 'sort', 'dir', 'page', 'limit'];
const defaultLimit = 20;
/** Rows of a page: each plan is read with its actions. */
const maxRows = 100;
const openPlans = ['RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED'];

const text = (description: string) => Type.Optional(Type.String({ description }));
const queryOf = (sorts: readonly string[]) => ({
  search: text('Only entries with this text in the name or as a prefix of the uuid.'),
  state: text('Only entries in this state; for plans also `PAUSED`, `OPEN` and `UNAPPROVED`.'),
  sort: text(`One of ${sorts.join(', ')}; default created.`),
  dir: text('Sort direction, `asc` or `desc` (default).'),
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'Page number; default 1.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxRows, description: 'Rows per page; default 20.' })),
});

/**
 * `GET /internal/lists/…`: lists of audits and action plans for users. The database searches, sorts and pages them.
 */
export function registerListRoutes(app: FastifyInstance, deps: InternalDeps): void {
  const { store, policy, durations } = deps;
  for (const schema of listSchemas) app.addSchema(schema);
  const headlines = createPlanHeadlines(store, durations);
  const rowsOf = (plans: readonly ActionPlanView[], request: FastifyRequest) =>
    headlines(plans, policy.allows('internal:read', request.caller));

  const plansSchema = describeInternal({
    tag: 'lists',
    operationId: 'list_plan_rows',
    summary: 'Action plans with their gain and cost',
    query: {
      ...queryOf(planSorts),
      audit: text('Only plans of this audit.'),
      undoes: text('Only rollbacks of this plan.'),
    },
    response: 'PlanRowList',
  });
  app.get(
    '/lists/action-plans',
    { schema: plansSchema, config: { rules: listRules.actionPlans } },
    async (request, reply) => {
      noteLogPosition(reply, deps);
      const query = queryArguments(request, [...names, 'audit', 'undoes']);
      const state = textArgument(query, 'state')?.toUpperCase();
      const { uuids, total } = await store.lists.plans({
        ...requestOf(query, planSorts),
        ...planStates(state),
        audit: uuidArgument(query, 'audit'),
        undoes: uuidArgument(query, 'undoes'),
      });
      const plans = await store.db.actionPlans.list({ filters: [{ field: 'uuid', op: 'in', value: uuids }] });
      const sorted = inOrder(plans, uuids);
      const rows = await rowsOf(sorted, request);
      const audits = await auditsOf(sorted);
      return { total, plans: sorted.map((plan, at) => planRow(plan, audits, rows[at])) };
    },
  );

  const planSchema = describeInternal({
    tag: 'lists',
    operationId: 'get_plan_row',
    summary: 'One action plan with its gain and cost, and its hosts before and after',
    params: { plan: 'Uuid of the action plan.' },
    response: 'PlanRowDetail',
    refusals: [404],
  });
  app.get<{ Params: { plan: string } }>(
    '/lists/action-plans/:plan',
    { schema: planSchema, config: { rules: listRules.actionPlans } },
    async (request) => {
      queryArguments(request);
      const uuid = requireUuid('plan', request.params.plan);
      const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'uuid', value: uuid }] });
      if (!plan) throw new NotFoundError('ActionPlan', uuid);
      const [row] = await rowsOf([plan], request);
      return {
        plan: planRow(plan, await auditsOf([plan]), row),
        hosts: sharesOf(await store.db.planHosts.find(plan.id)),
      };
    },
  );

  const auditsSchema = describeInternal({
    tag: 'lists',
    operationId: 'list_audit_rows',
    summary: 'Audits',
    query: { ...queryOf(auditSorts), type: text('Only audits of this type.') },
    response: 'AuditRowList',
  });
  app.get('/lists/audits', { schema: auditsSchema, config: { rules: listRules.audits } }, async (request, reply) => {
    noteLogPosition(reply, deps);
    const query = queryArguments(request, [...names, 'type']);
    const state = textArgument(query, 'state')?.toUpperCase();
    const { uuids, total } = await store.lists.audits({
      ...requestOf(query, auditSorts),
      states: state === undefined ? undefined : [state],
      type: textArgument(query, 'type')?.toUpperCase(),
    });
    const audits = await store.db.audits.list({ filters: [{ field: 'uuid', op: 'in', value: uuids }] });
    return { total, audits: inOrder(audits, uuids).map(auditRow) };
  });

  function auditsOf(plans: readonly ActionPlanView[]): Promise<AuditView[]> {
    if (plans.length === 0) return Promise.resolve([]);
    const value = [...new Set(plans.map(({ auditUuid }) => auditUuid))];
    return store.db.audits.list({ filters: [{ field: 'uuid', op: 'in', value }] });
  }
}

function inOrder<Row extends { uuid: string }>(rows: Row[], uuids: readonly string[]): Row[] {
  return rows.sort((left, right) => uuids.indexOf(left.uuid) - uuids.indexOf(right.uuid));
}

function planStates(state: string | undefined): Pick<ListRequest, 'states' | 'paused' | 'approval'> {
  if (state === undefined) return {};
  if (state === 'OPEN') return { states: openPlans };
  if (state === 'UNAPPROVED') return { states: ['RECOMMENDED'], approval: 'wanted' };
  if (state === 'PAUSED') return { states: ['PENDING', 'ONGOING'], paused: true };
  return { states: [state], ...(state === 'PENDING' || state === 'ONGOING' ? { paused: false } : {}) };
}

function requestOf(query: QueryArguments, sorts: readonly string[]): Omit<ListRequest, 'states'> {
  const sort = textArgument(query, 'sort') ?? 'created';
  if (!sorts.includes(sort))
    throw badRequest(`sort: one of ${sorts.join(', ')} is expected, not "${sort.slice(0, 80)}"`);
  const direction = textArgument(query, 'dir') ?? 'desc';
  if (direction !== 'asc' && direction !== 'desc') throw badRequest('dir: asc or desc is expected');
  return {
    search: textArgument(query, 'search'),
    sort,
    descending: direction === 'desc',
    ...pageArguments(query, { byDefault: defaultLimit, most: maxRows }),
  };
}

function planRow(plan: ActionPlanView, audits: readonly AuditView[], known: HeadlinedPlan | undefined) {
  const audit = audits.find(({ uuid }) => uuid === plan.auditUuid);
  return {
    uuid: plan.uuid,
    state: plan.state,
    paused: plan.paused,
    approval: plan.approval,
    strategy_name: plan.strategyName,
    audit_uuid: audit?.uuid ?? null,
    audit_name: audit?.name ?? null,
    rolls_back: plan.rollsBack,
    created_at: timestamp(plan.createdAt),
    updated_at: timestamp(plan.updatedAt),
    status_message: plan.statusMessage,
    total: known?.total ?? 0,
    by_state: known?.byState ?? {},
    headline: known?.headline,
  };
}

function auditRow(audit: AuditView) {
  return {
    uuid: audit.uuid,
    name: audit.name,
    state: audit.state,
    audit_type: audit.auditType,
    goal_name: audit.goalName,
    strategy_name: audit.strategyName,
    next_run_time: timestamp(audit.nextRunTime),
    created_at: timestamp(audit.createdAt),
    updated_at: timestamp(audit.updatedAt),
    status_message: audit.statusMessage,
  };
}

/** Shares of the capacity of each host before and after, in tenths of a percent. */
function sharesOf(stored: PlanHosts | null): object[] {
  const tenths = (share: number) => Math.round(share * 10) / 10;
  return (stored?.hosts ?? []).map(({ hostname, capacity, before, after }) => {
    const shares = hostQuantities.flatMap((quantity) => {
      const [from, to] = [hostShare(quantity, before, capacity), hostShare(quantity, after, capacity)];
      return from === undefined || to === undefined ? [] : [[quantity, { before: tenths(from), after: tenths(to) }]];
    });
    return { hostname, shares: Object.fromEntries(shares) };
  });
}
