import { auditContextOf } from './audit-context.ts';
import { type CrookedWorld, copyWorld } from './crooked-world.ts';
import { createDraw, type Draw } from './draw.ts';
import { playPlan } from './play-plan.ts';
import { addMetrics } from './random-metrics.ts';
import { runAudit } from './run-audit.ts';
import type { Variant } from './variants.ts';

/** Audits with which a cloud comes to rest at most. */
const mostToSettle = 8;

/** Moves that a cloud at rest made while its loads went up and down a little. */
export interface Calm {
  /** Whether it came to rest at all. */
  settled: boolean;
  /** Migrations in all audits after that. */
  moves: number;
  /** Instances that were moved more than once in them. */
  flaps: number;
}

/** Every value goes up or down by so much at most. What is no number stays so. */
function withNoise(world: CrookedWorld, draw: Draw, share: number): CrookedWorld {
  const noisy = (values: Map<string, number>) =>
    new Map([...values].map(([name, value]) => [name, value * draw.between(1 - share, 1 + share)]));
  return { ...world, metrics: new Map([...world.metrics].map(([metric, values]) => [metric, noisy(values)])) };
}

/** Loads of hosts follow what was moved. Every server keeps its own. */
function measuredAnew(world: CrookedWorld): CrookedWorld {
  const host = new Map([...world.metrics].filter(([metric]) => metric.startsWith('host_')));
  const next = { ...world, metrics: new Map([...world.metrics].filter(([metric]) => !host.has(metric))) };
  addMetrics(next, createDraw(world.seed), { keepsServers: true });
  return next;
}

/**
 * Lets a strategy bring a world to rest, then audits it again and again while its loads vary by `share`, and carries
 * every plan out.
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
