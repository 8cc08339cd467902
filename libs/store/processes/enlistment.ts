import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/domain';
import type { Session } from '../session/session.ts';
import { unlinkEdges } from './graph.ts';
import { addEvent, instanceColumns, linkInstance, moveInstance } from './instance-moves.ts';
import type { ServiceInstance, ServiceRegistry } from './types.ts';

/** Adds processes to the registry, and records their configuration. */
export function createEnlistment(session: Session): Pick<ServiceRegistry, 'enlist' | 'reconfigure'> {
  return {
    enlist: (instance) =>
      session.write(async (manager) => {
        const { serviceName, host } = instance;
        const former = await manager.query<{ instanceId: string }[]>(
          `SELECT instance_id AS "instanceId" FROM service_instances
           WHERE service_name = $1 AND host = $2 AND ended_at IS NULL AND instance_id <> $3 FOR UPDATE`,
          [serviceName, host, instance.instanceId],
        );
        for (const { instanceId } of former) {
          await moveInstance(manager, instanceId, 'lose', {
            reason: 'its connection is closed and a successor has started',
          });
        }
        const before = await findPredecessor(manager, serviceName, host);
        const rows = await manager.query<ServiceInstance[]>(
          `INSERT INTO service_instances (instance_id, service_type, service_name, host, pid, version, config,
             config_hash, state, lease_expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'STARTING', now() + $9::double precision * interval '1 millisecond')
           ON CONFLICT (instance_id) DO UPDATE SET service_name = excluded.service_name, state = excluded.state,
             lease_expires_at = excluded.lease_expires_at, last_seen_at = now(), ended_at = NULL, end_reason = NULL
           RETURNING ${instanceColumns}`,
          [
            instance.instanceId,
            instance.serviceType,
            serviceName,
            host,
            instance.pid,
            instance.version,
            JSON.stringify(instance.config),
            instance.configHash,
            instance.ttlMs,
          ],
        );
        const row = rows[0] as ServiceInstance;
        await addEvent(manager, { ...row, type: 'service.starting', doc: { pid: row.pid, version: row.version } });
        if (before) await reportConfiguration(manager, before, row);
        await linkInstance(manager, row);
        return row;
      }),

    reconfigure: (instanceId, { config, configHash }) =>
      session.write(async (manager) => {
        const [before] = await manager.query<ServiceInstance[]>(
          `SELECT ${instanceColumns} FROM service_instances WHERE instance_id = $1 AND ended_at IS NULL FOR UPDATE`,
          [instanceId],
        );
        if (!before) return;
        await manager.query(`UPDATE service_instances SET config = $2, config_hash = $3 WHERE instance_id = $1`, [
          instanceId,
          JSON.stringify(config),
          configHash,
        ]);
        const row = { ...before, config, configHash };
        await reportConfiguration(manager, before, row);
        await unlinkEdges(manager, { srcKind: 'ServiceInstance', srcId: instanceId, rel: 'has', dstKind: 'Config' });
        await linkInstance(manager, row);
      }),
  };
}

/** The last instance before a new one is added. */
async function findPredecessor(manager: EntityManager, serviceName: string, host: string) {
  const rows = await manager.query<Pick<ServiceInstance, 'configHash' | 'config'>[]>(
    `SELECT config_hash AS "configHash", config FROM service_instances
     WHERE service_name = $1 AND host = $2 ORDER BY started_at DESC LIMIT 1`,
    [serviceName, host],
  );
  return rows[0];
}

/** Keys with changed values. A changed secret is visible only in the hash. */
function changedKeys(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .sort();
}

/** Adds an event with the changed keys, if any. */
async function reportConfiguration(
  manager: EntityManager,
  before: Pick<ServiceInstance, 'config' | 'configHash'>,
  row: ServiceInstance,
): Promise<void> {
  if (before.configHash === row.configHash) return;
  const doc = { from: before.configHash, to: row.configHash, changed: changedKeys(before.config, row.config) };
  await addEvent(manager, { ...row, type: 'service.config_changed', doc });
}
