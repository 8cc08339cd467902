import { Type } from 'typebox';
import { entityKinds } from '../../../change-stream/entity-kinds.ts';
import { uuid, words } from '../../../openapi/shared-schemas.ts';

const kindNames = entityKinds.map(({ name }) => name);

const deltaSchema = Type.Unsafe({
  type: 'array',
  description:
    'Kind, operation, and the entity: for `change` its body in GET, with `progress` (0 to 1) for a running action; for `remove` its uuid (or id) and its last known key fields.',
  prefixItems: [
    { type: 'string', enum: kindNames },
    { type: 'string', enum: ['change', 'remove'] },
    { type: 'object' },
  ],
  minItems: 3,
  maxItems: 3,
});

/** Components of the OpenAPI document for the change stream. */
export const watchSchemas = [
  Type.Object(
    {
      epoch: Type.Integer({ description: 'Epoch of the log; changes with each restart of the log.' }),
      revno: Type.Integer({ description: 'Position in the log up to which the client has all changes.' }),
      deltas: Type.Array(deltaSchema, { description: 'Oldest first, each entity once.' }),
      more: Type.Boolean({ description: 'Whether the state is complete only after a later event.' }),
    },
    { $id: 'Deltas', additionalProperties: false },
  ),
  Type.Object(
    {
      kinds: Type.Optional(Type.Array(words(kindNames, 'Kind of entity.'), { minItems: 1 })),
      uuids: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'Only these entities.' })),
      audit: Type.Optional(uuid('Only this audit, its plans and their actions.')),
      plan: Type.Optional(uuid('Only this plan and its actions.')),
      states: Type.Optional(
        Type.Array(Type.String(), {
          minItems: 1,
          description: 'Only audits, plans, actions and tasks in these states.',
        }),
      ),
      scope: Type.Optional(Type.String({ description: 'Project; always `global`.' })),
      open: Type.Optional(
        Type.Boolean({
          description:
            'The full state has only open audits and plans, and running actions; changes are sent for all entities.',
        }),
      ),
    },
    { $id: 'WatcherCreate', additionalProperties: false },
  ),
  Type.Object(
    {
      id: uuid('Id of the watcher, for `next` and DELETE.'),
      epoch: Type.Integer({ description: 'Epoch of the log.' }),
      revno: Type.Null({ description: 'Position; null before the first read.' }),
    },
    { $id: 'Watcher', additionalProperties: false },
  ),
  Type.String({
    $id: 'EventStream',
    description:
      'Events `snapshot` and `deltas` with `Deltas` as data and `<epoch>:<revno>` as id, `reset` with a code, and comments as signs of life.',
  }),
];
