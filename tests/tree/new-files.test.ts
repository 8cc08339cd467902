import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = process.cwd();
/** Lists that a new thing is added to. */
const lists = [
  'libs/strategies/catalogue.ts',
  'libs/actions/catalogue.ts',
  'libs/domain/action-facts.ts',
  'libs/messaging/catalogue/catalogue.ts',
  'libs/messaging/index.ts',
  'libs/strategies/saving_energy/parameters.ts',
  'libs/domain/plan-controls.ts',
  'libs/history/data-source-names.ts',
  'libs/history/testing/contract-stores.ts',
  ...['connect-data-sources', 'data-sources-env'].map((file) => `libs/history/connect/${file}.ts`),
  'migrations/migrations.ts',
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-new-'));
  for (const file of lists) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Source of a file: a new one, or one of the tree. */
function sourceOf(file: string): string {
  const place = [folder, root].map((base) => join(base, file)).find((path) => existsSync(path));
  return place === undefined ? '' : readFileSync(place, 'utf8');
}

/** Imported names that their file does not export, as `name of file`. */
function missingOf(file: string): string[] {
  return [...sourceOf(file).matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)';/gm)].flatMap(([, names, from]) => {
    const specifier = String(from);
    if (!/^(\.|#libs\/|#tests$)/.test(specifier)) return [];
    const target = specifier.startsWith('.') ? join(dirname(file), specifier) : `${specifier.slice(1)}/index.ts`;
    const exported = [...sourceOf(target).matchAll(/^export [^;={(]*(?:\{[^}]*\})?/gm)].join('\n');
    return String(names)
      .split(',')
      .map((name) => name.trim().replace(/^type | as \w+$/g, ''))
      .filter((name) => name !== '' && !new RegExp(`\\b${name}\\b`).test(exported))
      .map((name) => `${name} of ${target}`);
  });
}

test.each([
  ['strategy', 'calm_nights', 'calmNightsStrategy'],
  ['action', 'ring_bell', 'ringBell'],
  ['migration', 'calm-nights', 'CalmNights'],
  ['message', 'night.begin', 'nightBegin'],
  ['parameter', 'saving_energy.idle_minutes', 'idle_minutes'],
  ['field', 'action_plan.max_hosts', 'PlanMaxHosts'],
  ['data-source', 'graphite', 'createGraphiteHistory'],
])('npm run new -- %s writes files whose imports exist, and lists the new ones', (kind, name, exported) => {
  const reported = execFileSync(process.execPath, [join(root, 'scripts/new.mjs'), kind, name], {
    cwd: folder,
    encoding: 'utf8',
  });
  const files = (word: string) =>
    [...reported.matchAll(new RegExp(`^${word} +(\\S+)$`, 'gm'))].map(([, file]) => String(file));
  const sources = [...files('made'), ...files('extended')].filter((file) => file.endsWith('.ts'));
  expect(sources.flatMap(missingOf)).toEqual([]);
  expect(files('extended').length).toBeGreaterThan(0);
  expect(sourceOf(String(files('extended')[0]))).toContain(exported);
  const named = [...reported.matchAll(/\b(?:libs|services|docs|migrations|tests)\/[\w./-]+\.(?:ts|md)\b/g)].map(
    ([path]) => path,
  );
  expect(named.filter((path) => sourceOf(path) === '')).toEqual([]);
});

test.each([
  ['a parameter of a strategy that is not there', 'parameter', 'no_strategy.idle_minutes'],
  ['a parameter that is there', 'parameter', 'saving_energy.free_used_percent'],
  ['a field of a plan that is there', 'field', 'action_plan.max_workers'],
  ['a data source that is there', 'data-source', 'gnocchi'],
])('refuses %s and changes nothing', (_case, kind, name) => {
  const before = lists.map((file) => readFileSync(join(folder, file), 'utf8'));
  const made = spawnSync(process.execPath, [join(root, 'scripts/new.mjs'), kind, name], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(made.status).toBe(1);
  expect(made.stderr).not.toBe('');
  expect(lists.map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual(before);
});
