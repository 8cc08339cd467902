import type { EntityManager } from 'typeorm';
import { pruneInBatches, type Session } from '../session/session.ts';

const pruneBatch = 10_000;

/** A host in a model of the cloud. */
export interface HostSighting {
  hostname: string;
  /** Digest of the properties that plans depend on. Empty: the host is no longer in the cloud. */
  fingerprint: string;
}

/** A version for each host, which every observed or planned change increases. */
export interface HostVersions {
  /**
   * Compares hosts of a model with the newest known state, and increases the versions of changed hosts. A model older
   * than the last change of a host has no effect. @param ageMs age of the model in milliseconds @returns the version of
   * each host in the model: one below the current version when the model is outdated
   */
  observe(sightings: readonly HostSighting[], ageMs: number): Promise<Map<string, number>>;
  /** Increases the versions of hosts that a plan changed. The next model does not increase them again. */
  raise(hostnames: readonly string[]): Promise<void>;
  /** Current versions by host name, without hosts that were never observed or changed. */
  current(hostnames: readonly string[]): Promise<Map<string, number>>;
  /**
   * Deletes the versions of hosts that left the cloud more than `ageSeconds` ago and that no plan counts on.
   * @returns the number of deleted versions
   */
  prune(ageSeconds: number): Promise<number>;
}

/** In the order of names, to prevent deadlocks between two transactions. */
const observeSql = `
  INSERT INTO host_versions AS known (hostname, version, fingerprint, seen_at, changed_at)
  SELECT given.hostname, 1, given.fingerprint, clock_timestamp() - $3::double precision * interval '1 millisecond',
    clock_timestamp()
  FROM unnest($1::text[], $2::text[]) AS given (hostname, fingerprint) ORDER BY given.hostname
  ON CONFLICT (hostname) DO UPDATE SET
    version = CASE WHEN known.fingerprint IS NULL THEN known.version ELSE known.version + 1 END,
    changed_at = CASE WHEN known.fingerprint IS NULL THEN known.changed_at ELSE excluded.changed_at END,
    fingerprint = excluded.fingerprint,
    seen_at = excluded.seen_at
  WHERE known.seen_at <= excluded.seen_at AND known.fingerprint IS DISTINCT FROM excluded.fingerprint`;

const versionsSql = `
  SELECT known.hostname,
    CASE WHEN known.fingerprint = given.fingerprint THEN known.version ELSE known.version - 1 END AS version
  FROM unnest($1::text[], $2::text[]) AS given (hostname, fingerprint) JOIN host_versions AS known USING (hostname)`;

/** `source` yields the host names of changes, one row for each change. */
export function raiseSql(source: string): string {
  return `INSERT INTO host_versions AS known (hostname, version, seen_at, changed_at)
    SELECT source.hostname, count(*), clock_timestamp(), clock_timestamp() FROM (${source}) AS source (hostname)
    GROUP BY source.hostname ORDER BY source.hostname
    ON CONFLICT (hostname) DO UPDATE SET version = known.version + excluded.version, fingerprint = NULL,
      seen_at = excluded.seen_at, changed_at = excluded.changed_at`;
}

/** Versions of hosts in the database. All times are the database's. */
export function createHostVersions(session: Session): HostVersions {
  const versionsOf = async (manager: EntityManager, text: string, parameters: unknown[]) => {
    const rows = await manager.query<{ hostname: string; version: number }[]>(text, parameters);
    return new Map(rows.map(({ hostname, version }) => [hostname, version]));
  };
  return {
    observe: (sightings, ageMs) =>
      session.write(async (manager) => {
        const hostnames = sightings.map(({ hostname }) => hostname);
        const fingerprints = sightings.map(({ fingerprint }) => fingerprint);
        await manager.query(observeSql, [hostnames, fingerprints, Math.max(0, ageMs)]);
        return versionsOf(manager, versionsSql, [hostnames, fingerprints]);
      }),

    raise: (hostnames) =>
      session.writeOnce(async (manager) => {
        if (hostnames.length > 0) await manager.query(raiseSql('SELECT unnest($1::text[])'), [hostnames]);
      }),

    current: (hostnames) =>
      session.read((manager) =>
        versionsOf(manager, 'SELECT hostname, version FROM host_versions WHERE hostname = ANY($1::text[])', [
          hostnames,
        ]),
      ),

    prune: (ageSeconds) =>
      pruneInBatches(
        session,
        `DELETE FROM host_versions WHERE hostname IN (
           SELECT hostname FROM host_versions AS known
           WHERE fingerprint = '' AND changed_at < now() - $1::double precision * interval '1 second'
             AND NOT EXISTS (SELECT 1 FROM plan_host_versions AS own WHERE own.hostname = known.hostname)
           LIMIT $2
         )`,
        { ageSeconds, batch: pruneBatch },
      ),
  };
}
