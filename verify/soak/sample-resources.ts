import { readdirSync, readFileSync } from 'node:fs';
import { runSql } from '#tests';
import type { Stack } from '../stack/stack.ts';
import { periodically } from './periodically.ts';
import type { ResourceSample } from './record.ts';

const everyMs = 10_000;

/** Samples of processes and tables. */
export interface ResourceSamples {
  samples: readonly ResourceSample[];
  stop(): Promise<void>;
}

/** Reads memory and descriptors of each process from /proc, and the rows of each table, every ten seconds. */
export function sampleResources({ members, databaseUrl }: Stack): ResourceSamples {
  const samples: ResourceSample[] = [];
  const stop = periodically(everyMs, async () => {
    const processes = new Map(
      members.flatMap(({ name, pid }) => {
        const id = pid();
        const read = id === null ? null : readProcess(id);
        return id === null || read === null ? [] : [[name, { pid: id, ...read }] as const];
      }),
    );
    samples.push({ atMs: Date.now(), processes, rows: await countRows(databaseUrl) });
  });
  return { samples, stop };
}

/** Null when the process has ended. */
function readProcess(pid: number): { rssMib: number; descriptors: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    return { rssMib: kib / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

async function countRows(databaseUrl: string): Promise<Map<string, number>> {
  const tables = await runSql<{ name: string; rows: number }>(databaseUrl, countAll);
  return new Map(tables.map(({ name, rows }) => [name, Number(rows)]));
}

/** Exact numbers: the estimates of PostgreSQL lag behind by minutes. */
const countAll = `SELECT relname AS name,
    (xpath('/row/count/text()', query_to_xml(format('SELECT count(*) FROM %I', relname), false, true, '')))[1]::text::bigint AS rows
  FROM pg_stat_user_tables`;
