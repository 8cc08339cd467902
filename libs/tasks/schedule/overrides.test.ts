import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTaskCatalogue } from '../catalogue/task-definition.ts';
import { taskDefinitions } from '../catalogue/task-definitions.ts';
import { createOverrideFile } from './override-file.ts';
import { parseCron, parseOverrides } from './overrides.ts';

const catalogue = createTaskCatalogue(taskDefinitions);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-tasks-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('every schedule of the program is valid', () => {
  for (const { name, schedule } of taskDefinitions) {
    if (!schedule) continue;
    const text = JSON.stringify({ [name]: { cron: schedule.cron, args: schedule.args ?? {} } });
    expect(parseOverrides(text, catalogue).warnings).toEqual([]);
  }
});

test.each([
  ['7', 'entry: must be null'],
  ['{ crno: "* * * * *" }', 'crno: is none of'],
  ['{ cron: "* * *" }', 'cron: * * * is not a cron expression'],
  ['{ cron: "0 0 30 2 *" }', 'cron: 0 0 30 2 * never occurs'],
  ['{ timezone: Mars/Olympus }', 'timezone: Mars/Olympus is not an IANA time zone'],
  ['{ args: { keep_seconds: 1 } }', 'args.keep_seconds: must be >= 60'],
  ['{ misfire_policy: never }', 'misfire_policy: must be one of skip, run_once, catch_up'],
  ['{ max_jitter_seconds: -1 }', 'max_jitter_seconds: must be a whole number'],
])('the entry %s disables its task only, with the reason', (entry, reason) => {
  const { schedules, warnings } = parseOverrides(`prune-outbox: ${entry}\nprune-tasks: "1 * * * *"`, catalogue);
  expect(schedules.get('prune-outbox')).toBeNull();
  expect(schedules.get('prune-tasks')).toMatchObject({ cron: '1 * * * *' });
  expect(warnings).toEqual([{ name: 'prune-outbox', reason: expect.stringContaining(reason) }]);
});

test('an unreadable file keeps the last good one in force and is reported', async () => {
  const path = join(folder, 'tasks.yaml');
  const file = createOverrideFile(path, catalogue);
  expect(await file.read()).toMatchObject({ overrides: null, fault: expect.stringContaining('ENOENT') });
  await writeFile(path, 'purge: "0 2 * * *"');
  const good = await file.read();
  expect(good).toMatchObject({ fault: null });
  for (const bad of ['purge: [', '- purge', 'just text']) {
    await writeFile(path, bad);
    const response = await file.read();
    expect(response.overrides).toBe(good.overrides);
    expect(response.fault).toContain('the last valid settings stay in force');
  }
  await writeFile(path, 'purge: null');
  expect((await file.read()).overrides?.schedules.get('purge')).toBeNull();
});

test('cron follows the clock of its time zone over the change to summer time; seconds come last', () => {
  const next = parseCron('30 2 * * *', 'Europe/Berlin');
  expect(next(new Date('2026-03-27T12:00:00Z'))?.toISOString()).toBe('2026-03-28T01:30:00.000Z');
  expect(next(new Date('2026-03-29T12:00:00Z'))?.toISOString()).toBe('2026-03-30T00:30:00.000Z');
  const seconds = parseCron('* * * * * */10', 'UTC');
  expect(seconds(new Date('2026-01-01T00:00:01Z'))?.toISOString()).toBe('2026-01-01T00:00:10.000Z');
});
