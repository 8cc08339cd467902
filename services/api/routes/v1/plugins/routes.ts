import type { FastifyInstance } from 'fastify';
import type { UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { timestamp } from '../../../http/watcher-text/timestamps.ts';
import { describe } from '../../../openapi/route-schemas.ts';

interface PluginBody {
  kind: 'goal' | 'strategy' | 'planner' | 'scoring_engine' | 'action' | 'data_source' | 'collector';
  name: string;
  display_name: string | null;
  description: string | null;
  serves: string | null;
  origin: string | null;
}

/** `GET /v1/plugins`: loaded plugins of the processes, and configured plugins that failed to load. An extension. */
export function registerPluginRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const schema = describe({
    tag: 'plugins',
    operationId: 'list_plugins',
    summary: 'Extension: loaded and broken plugins',
    response: 'PluginOverview',
  });
  app.get('/v1/plugins', { schema }, async (request) => {
    queryArguments(request);
    authorize(deps.policy, request, 'service:get_all');
    const [plugins, faults] = await Promise.all([loadedPlugins(deps.store.db), deps.store.db.pluginFaults.list()]);
    return {
      plugins,
      faults: faults.map(({ serviceName, host, plugin, reason, at }) => ({
        service: serviceName,
        host,
        plugin,
        reason,
        at: timestamp(at),
      })),
    };
  });
}

/** Processes record their loaded plugins at startup. */
async function loadedPlugins(db: UnitOfWork): Promise<PluginBody[]> {
  const [loaded, goals, strategies, engines, actions] = await Promise.all([
    db.loadedPlugins.list(),
    db.goals.list(),
    db.strategies.list(),
    db.scoringEngines.list(),
    db.actionDescriptions.list(),
  ]);
  const lists: PluginBody[][] = [
    goals.map((goal) => plugin('goal', goal.name, goal.displayName)),
    strategies.map((row) => ({ ...plugin('strategy', row.name, row.displayName), serves: row.goalName })),
    namesOf(loaded, 'planner').map((name) => plugin('planner', name)),
    engines.map((engine) => plugin('scoring_engine', engine.name)),
    actions.map((action) => plugin('action', action.actionType)),
    namesOf(loaded, 'data_source').map((name) => plugin('data_source', name)),
    namesOf(loaded, 'collector').map((name) => plugin('collector', name)),
  ];
  const known = new Map(loaded.map((row) => [`${row.kind} ${row.name}`, row]));
  return lists
    .flatMap((list) => list.sort((a, b) => (a.name < b.name ? -1 : 1)))
    .map((one) => {
      const row = known.get(`${one.kind} ${one.name}`);
      return { ...one, description: row?.description || null, origin: row?.origin ?? null };
    });
}

function namesOf(loaded: readonly { kind: string; name: string }[], wanted: PluginBody['kind']): string[] {
  return [...new Set(loaded.filter(({ kind }) => kind === wanted).map(({ name }) => name))];
}

function plugin(kind: PluginBody['kind'], name: string, displayName: string | null = null): PluginBody {
  return { kind, name, display_name: displayName, description: null, serves: null, origin: null };
}
