import { addMetrics, type CrookedWorld, copyWorld, createDraw, type Draw } from '#libs/random-worlds';
import { auditContextOf } from './audit-context.ts';
import { playPlan } from './play-plan.ts';
import { runAudit } from './run-audit.ts';
import type { Variant } from './variants.ts';

/** Most audits until a cloud must come to rest. */
const mostToSettle = 8;

/** Moves in a cloud at rest while its loads varied slightly. */
export interface Calm {
  /** Whether it came to rest. */
  settled: boolean;
  /** Migrations in all audits after that. */
  moves: number;
  /** Instances that these audits moved more than once. */
  flaps: number;
}

/** Varies every finite value up or down by at most `share`. */
function withNoise(world: CrookedWorld, draw: Draw, share: number): CrookedWorld {
  const noisy = (values: Map<string, number>) =>
    new Map([...values].map(([name, value]) => [name, value * draw.between(1 - share, 1 + share)]));
  return { ...world, metrics: new Map([...world.metrics].map(([metric, values]) => [metric, noisy(values)])) };
}

/** Adapts the loads of hosts to the moves. Every server keeps its load. */
function measuredAnew(world: CrookedWorld): CrookedWorld {
  const host = new Map([...world.metrics].filter(([metric]) => metric.startsWith('host_')));
  const next = { ...world, metrics: new Map([...world.metrics].filter(([metric]) => !host.has(metric))) };
  addMetrics(next, createDraw(world.seed), { keepsServers: true });
  return next;
}

/**
 * Runs a strategy until the world is at rest. Then audits it repeatedly while its loads vary by `share`, and carries
 * out every plan.
 */
export async function judgeCalm(
  world: CrookedWorld,
  variant: Variant,
  { audits, share }: { audits: number; share: number },
): Promise<Calm> {
  const draw = createDraw(world.seed ^ 0xca1);
  const auditContext = { ...auditContextOf(world), recentlyMoved: [], failedMigrations: [] };
  let now = measuredAnew(copyWorld(world));

  async function audit(seen: CrookedWorld): Promise<string[]> {
    const audited = await runAudit(seen, auditContext, variant);
    if ('error' in audited) return [];
    const { after, moved } = playPlan(now, audited.actions, draw);
    now = measuredAnew(after);
    return moved;
  }

  let left = mostToSettle;
  while (left > 0 && (await audit(now)).length > 0) left--;
  const counts = new Map<string, number>();
  for (let round = 0; round < audits; round++)
    for (const server of await audit(withNoise(now, draw, share))) counts.set(server, (counts.get(server) ?? 0) + 1);
  const all = [...counts.values()];
  return {
    settled: left > 0,
    moves: all.reduce((sum, count) => sum + count, 0),
    flaps: all.filter((count) => count > 1).length,
  };
}
