import type { IdSource } from '#libs/domain';
import type { ScoringEnginePlugin } from '#libs/plugin-kit';
import type { UnitOfWork } from '#libs/store';

/**
 * Makes the stored scoring engines equal to the loaded ones. Calls `changes` with the name of each change. A changed
 * engine keeps its row and uuid.
 */
export async function syncScoringEngines(
  unit: UnitOfWork,
  plugins: readonly ScoringEnginePlugin[],
  newUuid: IdSource,
  changes: { created: string[]; changed: string[]; removed: string[] },
  { keepMissing = false }: { keepMissing?: boolean } = {},
): Promise<void> {
  const stored = new Map((await unit.scoringEngines.list()).map((engine) => [engine.name, engine]));
  for (const { name, description, metainfo } of plugins) {
    const row = stored.get(name);
    stored.delete(name);
    if (row && row.description === description && row.metainfo === metainfo) continue;
    if (row) await unit.scoringEngines.update(row.uuid, { description, metainfo });
    else await unit.scoringEngines.insert({ uuid: newUuid(), name, description, metainfo });
    (row ? changes.changed : changes.created).push(`scoring engine ${name}`);
  }
  if (keepMissing) return;
  for (const row of stored.values()) {
    await unit.scoringEngines.softDelete(row.uuid);
    changes.removed.push(`scoring engine ${row.name}`);
  }
}
