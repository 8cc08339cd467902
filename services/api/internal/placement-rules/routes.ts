import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AlreadyExistsError, NotFoundError, type PlacementRule } from '#libs/domain';
import { clusterRules, ruleEffectSchemas } from '#libs/messaging';
import type { UnitOfWork } from '#libs/store';
import { limitArgument, queryArguments, uuidArgument } from '../../collections/query-arguments.ts';
import { callEngine, unavailableWithoutEngine } from '../../http/call-engine.ts';
import { conflict } from '../../http/faults/fault.ts';
import { canonicalUuid } from '../../http/faults/notation.ts';
import { etagOf, requireMatch } from '../../http/request/etag.ts';
import { onceByKey } from '../../http/request/idempotency.ts';
import { requireJsonObject } from '../../http/watcher-text/json-body.ts';
import { component } from '../../openapi/shared-schemas.ts';
import { placementRuleBody } from '../../views/internal-bodies.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { readRule } from './read-rule.ts';
import { placementRuleSchemas } from './schema.ts';

const tag = 'placement-rules';
const path = '/placement-rules';
const params = { rule: 'Uuid or name.' };
const argument = 'placement_rule';
const defaultLimit = 1000;
/** Rules at most. Every planning run reads all of them. */
const maxRules = 500;
type WithRule = { Params: { rule: string } };

/** Operators' placement rules for instances. The API stores them, and every planning run enforces them. */
export function registerPlacementRuleRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of [...placementRuleSchemas, ...ruleEffectSchemas]) app.addSchema(schema);
  registerReads(app, deps);
  registerEffects(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: FastifyInstance, deps: InternalDeps): void {
  const rules = deps.store.db.placementRules;
  const list = describeInternal({
    tag,
    operationId: 'list_placement_rules',
    summary: 'Placement rules of instances, by name',
    query: {
      limit: Type.Optional(Type.Integer({ minimum: 1, description: `Rules per page; default ${defaultLimit}.` })),
      marker: Type.Optional(Type.String({ format: 'uuid', description: 'Start after this rule.' })),
    },
    response: 'PlacementRuleList',
    refusals: [404],
  });
  app.get(path, { schema: list }, async (request) => {
    const query = queryArguments(request, ['limit', 'marker']);
    const limit = limitArgument(query, defaultLimit, deps.maxLimit);
    const marker = uuidArgument(query, 'marker');
    if (marker !== undefined) await getRule(rules, marker);
    const page = await rules.list({ sortKey: 'name', limit, marker });
    const next = page.length === limit ? (page.at(-1)?.uuid ?? null) : null;
    return { placement_rules: page.map(placementRuleBody), next };
  });
  const one = describeInternal({
    tag,
    operationId: 'get_placement_rule',
    summary: 'A placement rule of instances',
    params,
    response: 'PlacementRule',
    refusals: [404],
  });
  app.get<WithRule>(`${path}/:rule`, { schema: one }, async (request, reply) => {
    queryArguments(request);
    return tagged(reply, await getRule(rules, request.params.rule));
  });
}

/** `GET /internal/placement-rule-effects`, separate from the rules, because a rule may have any name. */
function registerEffects(app: FastifyInstance, deps: InternalDeps): void {
  const schema = describeInternal({
    tag,
    operationId: 'list_placement_rule_effects',
    summary: 'Instances and hosts that each rule matches now, and instances that violate it',
    response: 'PlacementRuleEffects',
    refusals: [500, 503],
  });
  app.get('/placement-rule-effects', { schema }, async (request) => {
    queryArguments(request);
    return callEngine(deps, clusterRules, {}, unavailableWithoutEngine);
  });
}

function registerWrites(app: FastifyInstance, deps: InternalDeps): void {
  const { store } = deps;
  registerCreation(app, deps);
  const change = describeInternal({
    tag,
    operationId: 'change_placement_rule',
    summary: 'Changes the fields of a rule in the body',
    params,
    body: component('PlacementRuleChange'),
    response: 'PlacementRule',
    refusals: [404, 409, 412, 415],
  });
  app.patch<WithRule>(`${path}/:rule`, { schema: change }, async (request, reply) => {
    queryArguments(request);
    const body = requireJsonObject(request, argument);
    const changed = await store.transaction(async (unit) => {
      // Two concurrent changes of different fields: neither undoes the other.
      await lockRules(unit);
      const former = await getRule(unit.placementRules, request.params.rule);
      await requireMatch(request, unit, former.uuid, async () => former);
      const fields = readRule(body, former);
      const rule = await named(fields.name, () => unit.placementRules.update(former.uuid, { ...fields }));
      keepChange(request, former, rule);
      return rule;
    });
    return tagged(reply, changed);
  });

  const remove = describeInternal({
    tag,
    operationId: 'delete_placement_rule',
    summary: 'Removes a rule',
    params,
    status: 204,
    refusals: [404, 412],
  });
  app.delete<WithRule>(`${path}/:rule`, { schema: remove }, async (request, reply) => {
    queryArguments(request);
    await store.transaction(async (unit) => {
      await lockRules(unit);
      const rule = await getRule(unit.placementRules, request.params.rule);
      await requireMatch(request, unit, rule.uuid, async () => rule);
      await unit.placementRules.softDelete(rule.uuid);
      keepChange(request, rule, null);
    });
    return reply.code(204).send();
  });
}

function registerCreation(app: FastifyInstance, { store, newUuid }: InternalDeps): void {
  const schema = describeInternal({
    tag,
    operationId: 'create_placement_rule',
    summary: `Creates a rule, which applies to every plan from now on; at most ${maxRules} rules exist`,
    body: component('PlacementRuleCreate'),
    response: 'PlacementRule',
    status: 201,
    refusals: [409, 415, 422],
  });
  app.post(path, { schema }, async (request, reply) => {
    queryArguments(request);
    return onceByKey(store, request, reply, {
      act(claim) {
        const fields = readRule(requireJsonObject(request, argument), null);
        return named(fields.name, () =>
          store.transaction(async (unit) => {
            const uuid = newUuid();
            await claim(unit, uuid);
            await lockRules(unit);
            const rules = await unit.placementRules.count();
            if (rules >= maxRules) throw conflict(`At most ${maxRules} placement rules can exist`);
            const rule = await unit.placementRules.insert({ uuid, ...fields });
            keepChange(request, null, rule);
            return rule;
          }),
        );
      },
      find: (uuid) => store.db.placementRules.get(uuid, { showDeleted: true }),
      show(rule) {
        reply.code(201).header('Location', `/internal${path}/${rule.uuid}`);
        return tagged(reply, rule);
      },
    });
  });
}

function keepChange(request: FastifyRequest, before: PlacementRule | null, after: PlacementRule | null): void {
  request.auditChange = { before: before && placementRuleBody(before), after: after && placementRuleBody(after) };
}

/** Changes of rules take turns. */
function lockRules(unit: UnitOfWork): Promise<unknown> {
  return unit.lock('placement rules');
}

/** The body of a rule. Sets its entity tag, which clients send as `If-Match`. */
function tagged(reply: FastifyReply, rule: PlacementRule): object {
  reply.header('ETag', etagOf(rule));
  return placementRuleBody(rule);
}

/**
 * By uuid or name: a number is a name here, and not an id as in Watcher's API.
 * @throws NotFoundError
 */
async function getRule(
  rules: { find(ident: string): Promise<PlacementRule | null> },
  ident: string,
): Promise<PlacementRule> {
  const rule = await rules.find(canonicalUuid(ident) ?? ident);
  if (rule === null) throw new NotFoundError('PlacementRule', ident);
  return rule;
}

/** @throws ApiFault 409 when another rule has the name. */
async function named<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    throw conflict(`A rule ${name} already exists`);
  }
}
