import { Type } from 'typebox';
import { nullableText, words } from '../../../openapi/shared-schemas.ts';

/** Components of the OpenAPI document for plugins. */
export const pluginSchemas = [
  Type.Object(
    {
      kind: words(
        ['goal', 'strategy', 'planner', 'scoring_engine', 'action', 'data_source', 'collector'],
        'Kind of the plugin.',
      ),
      name: Type.String({ description: 'Unique within its kind.' }),
      display_name: nullableText('For people; null for kinds that have none.'),
      description: nullableText('Its own description; null when it has none, or no process has it now.'),
      serves: nullableText('Goal of a strategy; null for other kinds.'),
      origin: nullableText(
        'npm package or folder that contains it, `vigil` for built-in plugins; null when no process has it now.',
      ),
    },
    { $id: 'Plugin', additionalProperties: false },
  ),
  Type.Object(
    {
      service: Type.String({ description: 'Such as `watcher-decision-engine`.' }),
      host: Type.String(),
      plugin: Type.String({ description: 'Entry of `VIGIL_PLUGINS`.' }),
      reason: Type.String({ description: 'Why it could not be loaded.' }),
      at: Type.String({ description: 'ISO 8601 with offset; when the process started.' }),
    },
    { $id: 'PluginFault', additionalProperties: false },
  ),
  Type.Object(
    {
      plugins: Type.Array(Type.Unsafe({ $ref: 'Plugin#' }), { description: 'By kind and name.' }),
      faults: Type.Array(Type.Unsafe({ $ref: 'PluginFault#' }), { description: 'By service, host and plugin.' }),
    },
    { $id: 'PluginOverview', additionalProperties: false },
  ),
];
