import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { hostEffectOf } from '#libs/actions';
import type { MoveRow } from '#libs/store';
import { pageArguments, queryArguments, textArgument } from '../../collections/query-arguments.ts';
import { badRequest } from '../../http/faults/fault.ts';
import { timestamp } from '../../http/watcher-text/timestamps.ts';
import { component, nullableText, nullableUuid, strict, uuid } from '../../openapi/shared-schemas.ts';
import { listRules } from '../../route-rules.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

const defaultLimit = 20;
const maxLimit = 100;
const maxName = 255;

const moveSchemas = [
  Type.Object(
    {
      action_uuid: uuid('Action of the migration.'),
      action_type: Type.String({ description: '`migrate`, `evacuate` or `revert`.' }),
      state: Type.String({ description: 'State of the action.' }),
      instance: Type.String({ description: 'Uuid of the instance.' }),
      instance_name: nullableText('Name of the instance at that time; null if the action has none.'),
      from: nullableText('Source host.'),
      to: nullableText('Planned destination; null if Nova selected it.'),
      why: nullableText('Reason from the strategy.'),
      status_message: nullableText('Reason of the state.'),
      plan_uuid: uuid('Plan of the action.'),
      rolls_back: nullableUuid('Plan that this plan undoes.'),
      strategy_name: nullableText('Strategy that created the plan.'),
      audit_uuid: uuid('Audit that created the plan.'),
      audit_name: Type.String({ description: 'Name of the audit.' }),
      started_at: nullableText('ISO 8601 with offset.'),
      ended_at: nullableText('ISO 8601 with offset; null while it runs.'),
    },
    { $id: 'Move', ...strict },
  ),
  Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'Total number of rows.' }),
      moves: Type.Array(component('Move'), { description: 'Newest first.' }),
    },
    { $id: 'MoveList', ...strict },
  ),
];

/**
 * `GET /internal/moves`: actions that moved an instance, or anything from or to a host, within the retention of plans.
 */
export function registerMoveRoutes(app: FastifyInstance, { store }: InternalDeps): void {
  for (const schema of moveSchemas) app.addSchema(schema);
  const schema = describeInternal({
    tag: 'moves',
    operationId: 'list_moves',
    summary: 'Started moves of instances, newest first',
    query: {
      instance: Type.Optional(Type.String({ description: 'Only migrations of the instance with this uuid.' })),
      host: Type.Optional(Type.String({ description: 'Only migrations from or to this host.' })),
      page: Type.Optional(Type.Integer({ minimum: 1, description: 'Page number; default 1.' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: maxLimit, description: `Rows of a page; default ${defaultLimit}.` }),
      ),
    },
    response: 'MoveList',
  });
  app.get('/moves', { schema, config: { rules: listRules.moves } }, async (request) => {
    const query = queryArguments(request, ['instance', 'host', 'page', 'limit']);
    const page = pageArguments(query, { byDefault: defaultLimit, most: maxLimit });
    const [instance, host] = ['instance', 'host'].map((name) => checked(name, textArgument(query, name)));
    const { moves, total } = await store.moves.list({ instance, host, ...page });
    return { total, moves: moves.map(moveBody) };
  });
}

/** PostgreSQL refuses text with NUL characters. */
function checked(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (text.length <= maxName && !/\p{Cc}/u.test(text))) return text;
  throw badRequest(`${name}: at most ${maxName} characters, none of them a control character`);
}

function moveBody(row: MoveRow) {
  const effect = hostEffectOf(row);
  const move = effect?.kind === 'move' ? effect : { instance: '', from: null, to: null };
  return {
    action_uuid: row.uuid,
    action_type: row.actionType,
    state: row.state,
    instance: move.instance,
    instance_name: nameOf(row.inputParameters),
    from: move.from,
    to: move.to,
    why: row.summary,
    status_message: row.statusMessage,
    plan_uuid: row.planUuid,
    rolls_back: row.rollsBack,
    strategy_name: row.strategyName,
    audit_uuid: row.auditUuid,
    audit_name: row.auditName,
    started_at: timestamp(row.startedAt),
    ended_at: timestamp(row.endedAt),
  };
}

function nameOf({ resource_name: name, input_parameters: undone }: MoveRow['inputParameters']): string | null {
  if (typeof name === 'string' && name !== '') return name;
  return typeof undone === 'object' && undone !== null && !Array.isArray(undone) ? nameOf(undone) : null;
}
