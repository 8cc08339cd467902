import { expect, it } from 'vitest';
import { createDraw, randomWorld } from '#libs/random-worlds';
import { auditContextOf } from './audit-context.ts';
import { judgeAudit } from './judge-audit.ts';
import { lostReserves } from './judge-failures.ts';
import { playPlan } from './play-plan.ts';
import { runAudit } from './run-audit.ts';

const variant = { strategy: 'placement_optimizer', parameters: { time_limit: 1, preset: 'consolidate' } };

it('the judge lets a relief use the reserve of a zone only where no other host could take its servers', async () => {
  const world = randomWorld(9446, 40);
  const auditContext = auditContextOf(world);
  const audited = await runAudit(world, auditContext, variant);
  if ('error' in audited) throw audited.error;
  const played = playPlan(world, audited.actions, createDraw(1));
  expect(lostReserves(world, auditContext, played)).toEqual(['zone az3: 2 servers have no place when a host fails']);

  // Only compute-02 has dedicated CPUs for them.
  expect((await judgeAudit(world, variant, 1)).faults).toEqual([]);
});

it('the judge notices such a relief where another zone could take its servers', async () => {
  const seen = randomWorld(9446, 40);
  const elsewhere = new Set(seen.services.filter(({ zone }) => zone !== 'az3').map(({ host }) => host));
  const others = new Set(seen.hypervisors.flatMap(({ uuid, serviceHost }) => (elsewhere.has(serviceHost) ? uuid : [])));
  const dedicated = [...seen.inventories.values()].find(({ PCPU }) => PCPU !== undefined)?.PCPU;
  if (dedicated === undefined) throw new Error('no host has dedicated CPUs');
  // The engine does not see the dedicated CPUs of the other zones.
  const inventories = new Map(
    [...seen.inventories].map(([uuid, own]) => [uuid, others.has(uuid) ? { ...own, PCPU: dedicated } : own] as const),
  );
  const { faults } = await judgeAudit({ ...seen, inventories }, variant, 1, seen);
  expect(faults.map(({ kind, what }) => `${kind}: ${what}`)).toContain(
    'reserve: zone az3: 2 servers have no place when a host fails',
  );
});
