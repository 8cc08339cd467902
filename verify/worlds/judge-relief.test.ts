import { expect, it } from 'vitest';
import { createDraw, randomWorld } from '#libs/random-worlds';
import { auditContextOf } from './audit-context.ts';
import { judgeAudit } from './judge-audit.ts';
import { wrongRelief } from './judge-relief.ts';
import { playPlan } from './play-plan.ts';
import { runAudit } from './run-audit.ts';

it('the judge lets the spread of hosts grow only where those at their threshold are relieved', async () => {
  const world = randomWorld(5060, 10);
  const auditContext = auditContextOf(world);
  const parameters = { metrics: 'instance_ram_usage', threshold: 30 };
  const audited = await runAudit(world, auditContext, { strategy: 'workload_balance', parameters });
  if ('error' in audited) throw audited.error;
  expect(audited.report.notes).toContainEqual(expect.stringMatching(/deviation .* rises/));
  const played = playPlan(world, audited.actions, createDraw(1));
  expect(wrongRelief(world, auditContext, audited, played)).toEqual([]);
  const withThreshold = { ...audited, parameters: { ...audited.parameters, threshold: 99 } };
  expect(wrongRelief(world, auditContext, withThreshold, played)[0]).toMatch(
    / is relieved at .* below the threshold of 99 %$/,
  );
});

it('the mean load of unmeasured instances leaves out bare metal', async () => {
  const { faults, moves } = await judgeAudit(randomWorld(9739), { strategy: 'workload_balance', parameters: {} }, 1);
  expect(moves).toBe(1);
  expect(faults).toEqual([]);
});
