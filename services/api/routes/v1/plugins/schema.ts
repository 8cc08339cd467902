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
      name: Type.String({ description: 'Name, unique within its kind.' }),
      display_name: nullableText('Display name; null for kinds without one.'),
      description: nullableText('Description of the plugin; null without one, or if no process has loaded it.'),
      serves: nullableText('Goal of a strategy; null for other kinds.'),
      origin: nullableText(
        'npm package or folder of the plugin, `vigil` for built-in ones; null if no process has loaded it.',
      ),
    },
    { $id: 'Plugin', additionalProperties: false },
  ),
  Type.Object(
    {
      service: Type.String({ description: 'Name of the service, such as `watcher-decision-engine`.' }),
      host: Type.String(),
      plugin: Type.String({ description: 'Entry of `VIGIL_PLUGINS`.' }),
      reason: Type.String({ description: 'Reason of the failure.' }),
      at: Type.String({ description: 'ISO 8601 with offset; when the process started.' }),
    },
    { $id: 'PluginFault', additionalProperties: false },
  ),
  Type.Object(
    {
      plugins: Type.Array(Type.Unsafe({ $ref: 'Plugin#' }), { description: 'Plugins, sorted by kind and name.' }),
      faults: Type.Array(Type.Unsafe({ $ref: 'PluginFault#' }), {
        description: 'Faults, sorted by service, host and plugin.',
      }),
    },
    { $id: 'PluginOverview', additionalProperties: false },
  ),
];
