import { type JsonObject, metricCatalogue } from '#libs/domain';
import type { PluginKind } from './plugin.ts';
import { modelNames } from './strategy.ts';

const name: JsonObject = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,62}$' };
const text: JsonObject = { type: 'string', minLength: 1 };

const strategyManifest: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: [
    'kind',
    'name',
    'displayName',
    'goal',
    'description',
    'parameters',
    'metrics',
    'models',
    'planner',
    'needsCompleteModel',
  ],
  properties: {
    kind: { const: 'strategy' },
    name,
    displayName: text,
    goal: name,
    description: text,
    parameters: {
      type: 'object',
      required: ['type', 'properties'],
      properties: { type: { const: 'object' }, properties: { type: 'object' } },
    },
    metrics: { type: 'array', items: { enum: Object.keys(metricCatalogue) } },
    models: { type: 'array', items: { enum: modelNames } },
    planner: name,
    needsCompleteModel: { type: 'boolean' },
    byOrder: { type: 'boolean' },
    neverStale: { type: 'boolean' },
    urgentRules: { type: 'array', items: { type: 'string', minLength: 1 } },
    readsPast: { type: 'boolean' },
    replans: { type: 'boolean' },
    starts: { type: 'integer', minimum: 1, maximum: 8 },
  },
};

const goal: JsonObject = {
  type: 'object',
  required: ['kind', 'name', 'displayName', 'indicators'],
  properties: {
    kind: { const: 'goal' },
    name,
    displayName: text,
    indicators: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description', 'unit', 'required', 'schema'],
        properties: {
          name,
          description: text,
          unit: { type: ['string', 'null'] },
          required: { type: 'boolean' },
          schema: { type: 'object' },
        },
      },
    },
  },
};

const planner: JsonObject = {
  type: 'object',
  required: ['kind', 'name', 'description'],
  properties: { kind: { const: 'planner' }, name, description: text },
};

const action: JsonObject = {
  type: 'object',
  required: ['kind', 'name', 'description', 'schema', 'revertible', 'abortable'],
  properties: {
    kind: { const: 'action' },
    name,
    description: text,
    schema: { type: 'object' },
    revertible: { enum: ['exact', 'best-effort', 'impossible'] },
    abortable: { type: 'boolean' },
  },
};

const scoringEngine: JsonObject = {
  type: 'object',
  required: ['kind', 'name', 'description', 'metainfo'],
  properties: { kind: { const: 'scoring_engine' }, name, description: text, metainfo: { type: 'string' } },
};

const scoringContainer: JsonObject = {
  type: 'object',
  required: ['kind', 'name', 'description'],
  properties: { kind: { const: 'scoring_container' }, name, description: text },
};

const dataSource: JsonObject = {
  type: 'object',
  required: ['kind', 'name', 'description'],
  properties: { kind: { const: 'data_source' }, name, description: text },
};

const collector: JsonObject = {
  type: 'object',
  required: ['kind', 'name', 'description'],
  properties: { kind: { const: 'collector' }, name: { enum: modelNames }, description: text },
};

/** JSON Schema of the plain data of each kind: the manifest of a strategy, the plugin itself for the others. */
export const pluginSchemas: Record<PluginKind, JsonObject> = {
  strategy: strategyManifest,
  goal,
  planner,
  action,
  scoring_engine: scoringEngine,
  scoring_container: scoringContainer,
  data_source: dataSource,
  collector,
};

/** Functions that a plugin of each kind must have. */
export const pluginMethods: Record<PluginKind, readonly string[]> = {
  strategy: ['run'],
  goal: ['globalEfficacy'],
  planner: ['plan'],
  scoring_engine: ['calculateScore'],
  scoring_container: ['engines'],
  data_source: ['open'],
  collector: ['collect'],
  action: ['timeoutMs', 'occupies', 'preCondition', 'execute', 'postCondition', 'probe', 'waitFor', 'revert', 'abort'],
};
