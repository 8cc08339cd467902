import type { FastifyInstance } from 'fastify';
import { AlreadyExistsError, NotFoundError, type PlacementRule } from '#libs/domain';
import { clusterRules, ruleEffectSchemas } from '#libs/messaging';
import { queryArguments } from '../../collections/query-arguments.ts';
import { callEngine, unavailableWithoutEngine } from '../../http/call-engine.ts';
import { conflict } from '../../http/faults/fault.ts';
import { canonicalUuid } from '../../http/faults/notation.ts';
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
    answer: 'PlacementRuleList',
  });
  app.get(path, { schema: list }, async (request) => {
    queryArguments(request);
    return { placement_rules: (await rules.list({ sortKey: 'name' })).map(placementRuleBody) };
  });
  const one = describeInternal({
    tag,
    operationId: 'get_placement_rule',
    summary: 'A placement rule of instances',
    params,
    answer: 'PlacementRule',
    refusals: [404],
  });
  app.get<WithRule>(`${path}/:rule`, { schema: one }, async (request) => {
    queryArguments(request);
    return placementRuleBody(await getRule(rules, request.params.rule));
  });
}

/** `GET /internal/placement-rule-effects`, separate from the rules, because a rule may have any name. */
function registerEffects(app: FastifyInstance, deps: InternalDeps): void {
  const schema = describeInternal({
    tag,
    operationId: 'list_placement_rule_effects',
    summary: 'Instances and hosts that each rule matches now, and instances that violate it',
    answer: 'PlacementRuleEffects',
    refusals: [500, 503],
  });
  app.get('/placement-rule-effects', { schema }, async (request) => {
    queryArguments(request);
    return callEngine(deps, clusterRules, {}, unavailableWithoutEngine);
  });
}

function registerWrites(app: FastifyInstance, { store, newUuid }: InternalDeps): void {
  const create = describeInternal({
    tag,
    operationId: 'create_placement_rule',
    summary: 'Creates a rule, which applies to every plan from now on',
    body: component('PlacementRuleCreate'),
    answer: 'PlacementRule',
    status: 201,
    refusals: [409, 415],
  });
  app.post(path, { schema: create }, async (request, reply) => {
    queryArguments(request);
    const fields = readRule(requireJsonObject(request, argument), null);
    const rule = await named(fields.name, () =>
      store.transaction((unit) => unit.placementRules.insert({ uuid: newUuid(), ...fields })),
    );
    reply.code(201).header('Location', `/internal${path}/${rule.uuid}`);
    return placementRuleBody(rule);
  });

  const change = describeInternal({
    tag,
    operationId: 'change_placement_rule',
    summary: 'Changes the fields of a rule that the body names',
    params,
    body: component('PlacementRuleChange'),
    answer: 'PlacementRule',
    refusals: [404, 409, 415],
  });
  app.patch<WithRule>(`${path}/:rule`, { schema: change }, async (request) => {
    queryArguments(request);
    const body = requireJsonObject(request, argument);
    return store.transaction(async (unit) => {
      // Two concurrent changes of different fields: neither undoes the other.
      await unit.lock('placement rules');
      const former = await getRule(unit.placementRules, request.params.rule);
      const fields = readRule(body, former);
      return placementRuleBody(await named(fields.name, () => unit.placementRules.update(former.uuid, { ...fields })));
    });
  });

  const remove = describeInternal({
    tag,
    operationId: 'delete_placement_rule',
    summary: 'Removes a rule',
    params,
    status: 204,
    refusals: [404],
  });
  app.delete<WithRule>(`${path}/:rule`, { schema: remove }, async (request, reply) => {
    queryArguments(request);
    await store.transaction(async (unit) => {
      const { uuid } = await getRule(unit.placementRules, request.params.rule);
      await unit.placementRules.softDelete(uuid);
    });
    return reply.code(204).send();
  });
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
