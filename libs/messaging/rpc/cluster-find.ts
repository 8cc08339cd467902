import type { SchemaValue } from '#libs/domain';
import { instanceFields } from './cluster-host.ts';
import { type ClusterSummaryRequest, loadField, modelAge } from './cluster-summary.ts';
import { closedObject, componentOf, moment, textOrNull, texts } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** Kinds of things that can be searched for. */
export const foundKinds = ['host', 'instance', 'project', 'flavor', 'zone', 'rack'] as const;
export type FoundKind = (typeof foundKinds)[number];

/** `cluster.find`: objects of the cloud with a text in their name, or an id that starts with it. */
export interface ClusterFindRequest {
  /** Case does not count. Empty: the first by name. */
  text: string;
  kinds: FoundKind[];
  /** Of each kind at most; 1 to 100. */
  limit: number;
}

const foundSchema = closedObject(
  {
    kind: { type: 'string', enum: foundKinds, description: 'Kind of object.' },
    id: {
      type: 'string',
      description: 'Host name, uuid of an instance, id of a project, name of a flavor, zone or rack.',
    },
    name: { type: 'string', description: 'Display name; for a project, its id.' },
    host: textOrNull('Host of an instance; null without one, and for other kinds.'),
    instances: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Instances on a host or in a zone or rack, of a project or a flavor; null for an instance.',
    },
  },
  {},
);

const clusterFoundSchema = closedObject(
  {
    taken_at: modelAge.taken_at,
    found: { type: 'array', items: foundSchema, description: 'Matches by kind, the best first.' },
    more: { type: 'integer', minimum: 0, description: 'Number of further matches.' },
  },
  { $id: 'ClusterFound' },
);

export type Found = SchemaValue<typeof foundSchema>;
/** Best first: names that are the text, then those that start with it. */
export type ClusterFindResponse = SchemaValue<typeof clusterFoundSchema>;

/** Refusals: `model_not_available`, `invalid_input`. */
export const clusterFind: RpcTopic<ClusterFindRequest, ClusterFindResponse> = {
  topic: 'cluster.find',
  timeoutMs: 30_000,
};

/** `cluster.instance`: one instance with its host. */
export interface ClusterInstanceRequest extends ClusterSummaryRequest {
  uuid: string;
}

const clusterInstanceSchema = closedObject(
  {
    ...modelAge,
    ...loadField,
    instance: closedObject(
      {
        ...instanceFields,
        hostname: textOrNull('Host of the compute service; null without one.'),
        flavor: textOrNull('Name of the flavor at the creation or last resize of the instance.'),
        pinned_zone: textOrNull('Required zone of the instance; null: any.'),
        group_policy: textOrNull('Policy of the server group.'),
        rules: texts('Names of the enabled placement rules that cover the instance.'),
      },
      {},
    ),
  },
  { $id: 'ClusterInstance' },
);

/** One instance, as of the model. */
export type ClusterInstanceResponse = SchemaValue<typeof clusterInstanceSchema>;

/** Refusals: `instance_not_found`, `model_not_available`, `invalid_input`. */
export const clusterInstance: RpcTopic<ClusterInstanceRequest, ClusterInstanceResponse> = {
  topic: 'cluster.instance',
  timeoutMs: 60_000,
};

/** Components of both responses, in addition to those of `cluster.summary`. */
export const clusterFindSchemas = [clusterInstanceSchema, clusterFoundSchema];

/**
 * `cluster.rules`: the operator's rules and the objects that they cover now, including rules that are not enforced. No
 * arguments.
 */
export type ClusterRulesRequest = Record<string, never>;

const ruleEffectSchema = closedObject(
  {
    uuid: { type: 'string', format: 'uuid', description: 'The rule.' },
    instances: { type: 'integer', minimum: 0, description: 'Instances that the rule covers.' },
    hosts: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Hosts of the rule; null for rules without hosts.',
    },
    misplaced: {
      type: 'integer',
      minimum: 0,
      description: 'Instances that violate the rule; plans do not move them for the rule alone.',
    },
    examples: {
      type: 'array',
      items: closedObject(
        { uuid: { type: 'string' }, name: { type: 'string' }, hostname: textOrNull('Host of the instance.') },
        {},
      ),
      description: 'Examples of violations.',
    },
  },
  { $id: 'PlacementRuleEffect' },
);

const ruleEffectsSchema = closedObject(
  {
    taken_at: moment('Collection time of the model.'),
    rules: { type: 'array', items: componentOf(ruleEffectSchema), description: 'Effects, sorted by name of the rule.' },
  },
  { $id: 'PlacementRuleEffects' },
);

/** Components of the response to `cluster.rules`. */
export const ruleEffectSchemas = [ruleEffectSchema, ruleEffectsSchema];

/** Scope and violations of the rules at this moment. */
export type ClusterRulesResponse = SchemaValue<typeof ruleEffectsSchema>;

/** Refusals: `model_not_available`. */
export const clusterRules: RpcTopic<ClusterRulesRequest, ClusterRulesResponse> = {
  topic: 'cluster.rules',
  timeoutMs: 30_000,
};
