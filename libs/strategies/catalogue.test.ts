import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { validateParameters } from '#libs/plugin-kit';
import { strategyCatalogue } from './catalogue.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  // Shared by those that search, and by tests.
  .filter((name) => !['search-based', 'shared', 'testing'].includes(name));

/** Counts, fractions of 1 and weights, which have no unit. */
const plainNumber = new RegExp(
  [
    ...['migration_budget', 'reserve_hosts', 'failure_reserve', 'max_moves', 'retry_count', 'migration_attempts'],
    ...['min_free_hosts_num', 'at_once', 'max_failures', 'instance_difference', 'parallel_\\w+', 'param1', 'para1'],
    ...['thresholds\\.\\w+', 'weights\\.\\w+'],
  ]
    .map((name) => `\\.${name}$`)
    .join('|'),
);

/** The numbers of a schema at any depth, by their path. */
function numbersOf(schema: JsonObject, path = ''): { path: string; spec: JsonObject }[] {
  const types = [schema.type ?? []].flat();
  const own = types.includes('number') || types.includes('integer') ? [{ path, spec: schema }] : [];
  const parts = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [...own, ...parts.flatMap(([name, part]) => numbersOf(part, within(name)))];
}

describe('strategy catalogue', () => {
  it('lists every folder, and each folder is complete', () => {
    expect(strategyCatalogue.map(({ manifest }) => manifest.name).sort()).toEqual(folders.sort());
    for (const folder of folders) {
      const files = readdirSync(join(import.meta.dirname, folder));
      expect(files).toEqual(expect.arrayContaining(['parameters.ts', 'strategy.ts', 'README.md']));
      expect(files.some((file) => file.endsWith('.test.ts'))).toBe(true);
    }
  });

  const schemas = strategyCatalogue.map(
    ({ manifest }) => [manifest.name, manifest.parameters.properties as Record<string, JsonObject>] as const,
  );

  it.each(schemas)('%s: every parameter is described, and no number may be negative', (name, properties) => {
    const schema = strategyCatalogue.find(({ manifest }) => manifest.name === name)?.manifest.parameters ?? {};
    const faultOf = (given: JsonObject) => {
      try {
        return validateParameters(schema, given) && '';
      } catch (error) {
        return String(error);
      }
    };
    for (const [parameter, { type, description }] of Object.entries(properties)) {
      expect(description, parameter).toMatch(/^\p{Lu}.*\.$|^[\p{Lu}`].{8}/u);
      if (type !== 'number' && type !== 'integer') continue;
      expect(faultOf({ [parameter]: -1 })).toContain(`${parameter}: must be at least`);
      if (parameter === 'period') expect(faultOf({ period: 0 })).toContain('period: must be at least 1');
    }
  });

  it('every number that is a time, a percentage or a measured quantity has a unit', () => {
    const unitless = strategyCatalogue.flatMap(({ manifest }) =>
      numbersOf(manifest.parameters).flatMap(({ path, spec }) =>
        spec['x-unit'] === undefined ? [`${manifest.name}.${path}`] : [],
      ),
    );
    expect(unitless.filter((path) => !plainNumber.test(path))).toEqual([]);
    const units = strategyCatalogue.flatMap(({ manifest }) =>
      numbersOf(manifest.parameters).flatMap(({ spec }) => spec['x-unit'] ?? []),
    );
    const known = ['s', 'min', '%', 'points', '°C', 'W', '0.1 CFM', 'B/s'];
    expect(units.filter((unit) => !known.includes(String(unit)))).toEqual([]);
  });

  it.each([
    ['dummy', { para1: 11 }],
    ['dummy', { para3: 1 }],
    ['host_maintenance', {}],
    ['workload_stabilization', { host_choice: 'best' }],
    ['workload_stabilization', { metrics: ['instance_disk_usage'] }],
    ['workload_stabilization', { thresholds: { instance_cpu_usage: 2 } }],
    ['workload_stabilization', { retry_count: 0 }],
    ['vm_workload_consolidation', { period: 'long' }],
    ['workload_stabilization', { periods: { instance: 0 } }],
    ['storage_capacity_balance', { volume_threshold: 101 }],
  ])('%s refuses %j', (name, given) => {
    const manifest = strategyCatalogue.find((strategy) => strategy.manifest.name === name)?.manifest;
    expect(() => validateParameters(manifest?.parameters ?? {}, given)).toThrow();
  });
});
