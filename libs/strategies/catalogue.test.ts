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
