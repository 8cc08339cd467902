// Days take most of the time of an assessment.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyLoad, encodeWorld, type WorldFile } from '#libs/world-file';
import { builtInPlugins } from '../built-in-plugins.ts';
import { assessStrategies, assessStrategy } from './assess-strategy.ts';
import { generatedDays } from './generated-days.ts';
import { brokenOf, findingsOf, usePluginAssessor } from './testing/assess-plugin.ts';
import { writePlugin } from './testing/write-plugin.ts';

const { folder: parentFolder, assess } = usePluginAssessor();

/** Moves one instance of the fullest host to the emptiest one, as long as that makes the counts more equal. */
const spread = `
  const counts = Array.from({ length: hosts }, (_, host) => model.instancesOn(host).length);
  const full = counts.indexOf(Math.max(...counts));
  const rows = counts.map((_, host) => host).sort((a, b) => counts[a] - counts[b] || a - b);
  for (const instance of [...(hosts === 0 ? [] : model.instancesOn(full))].sort((a, b) => a - b))
    for (const host of rows)
      if (counts[full] - counts[host] > 1 && may(instance, host)) return [migrate(instance, host)];
  return [];`;

describe('assessStrategy', () => {
  it('finds no fault in a strategy that obeys the model', async () => {
    const assessment = await assess('spread', { propose: spread }, { random: 3 }, {});
    expect(brokenOf(assessment)).toEqual([]);
    expect(assessment).toMatchObject({ strategy: 'tried', good: true });
    expect(assessment.measures.actions).toBeGreaterThan(5);
    expect(assessment.properties.map(({ verdict }) => verdict)).toEqual(Array(5).fill('holds'));
    expect(assessment.measures.runs).toBeGreaterThan(assessment.measures.worlds);
  });

  it.each([
    ['back and forth', 'choices.find((host) => host !== model.hostOf[instance])'],
    ['around', '(model.hostOf[instance] + 1) % hosts'],
  ])('finds that a strategy moves an instance %s', async (way, choice) => {
    const propose = `
      for (let instance = 0; instance < instances; instance += 1) {
        const choices = Array.from({ length: hosts }, (_, host) => host).filter((host) => may(instance, host));
        const host = ${choice};
        if (host !== undefined && choices.includes(host)) return [migrate(instance, host)];
      }
      return [];`;
    const assessment = await assess(`flap-${way.split(' ')[0]}`, { propose }, { random: 1 }, {});
    expect(brokenOf(assessment)).toEqual(['calm']);
    const [finding] = findingsOf(assessment, 'calm');
    expect(finding?.what).toMatch(/went back to a former host although nothing changed/);
    expect(finding?.action).toMatch(/^vm-\S+: compute-\d > compute-\d \(\d\d:\d\d\) > compute-\d \(/);
    expect(finding?.reproduce).toMatch(/--seed 1 --worlds 0$/);
    expect(assessment.days.map(({ day }) => day)).toEqual(['still day', 'day with seasons']);
  });

  it('assesses on a recording, and plays its last day', async () => {
    const [first, second] = generatedDays(3);
    const steps = 2 * first!.day.steps;
    const world: WorldFile = {
      ...second!.world,
      recording: { start: '2026-01-05T00:00:00.000Z', step_seconds: 300, steps, anonymised: true },
    };
    const sizes = { servers: world.servers.length, hosts: world.hosts.length };
    const load = emptyLoad(sizes, { startMs: Date.UTC(2026, 0, 5), stepSeconds: 300, steps });
    for (const column of Object.values(load.columns)) column.fill(40);
    const file = join(parentFolder(), 'two-days.world');
    await writeFile(file, encodeWorld(world, load));
    const propose = 'return [0, 1].flatMap((row) => (hosts > 7 ? [migrate(row, (model.hostOf[row] + 1) % 8)] : []));';
    const assessment = await assess('recorded', { propose }, { random: 0, files: [file] }, {});
    expect(assessment.days.map(({ day, audits }) => [day, audits])).toContainEqual([`day of ${file}`, 24]);
    const folder = await writePlugin(parentFolder(), 'bundled', { propose: 'return [];' });
    await expect(assessStrategy(folder, { files: ['azure2017-40'] })).rejects.toThrow(/no recorded load; vigil world/);
  });

  it.each(['basic', 'workload_balance', 'vm_workload_consolidation'])('finds no fault in %s', async (name) => {
    const registry = builtInPlugins();
    const { strategies } = await assessStrategies(registry, [registry.strategy(name)], {
      ...{ plugin: 'vigil', worlds: { random: 5, seed: 40 }, options: {} },
    });
    expect(strategies.flatMap(({ properties }) => properties.flatMap(({ findings }) => findings))).toEqual([]);
  });
});
