import { describe, expect, it } from 'vitest';
import { createFakeEngine } from '../api/testing/fake-engine.ts';
import { useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const api = await useTestApi({ bus: createFakeEngine() });
const url = await api.listen();

const vigil = (words: string[], columns?: number) =>
  runVigil(['forecast', ...words], { env: { VIGIL_API_URL: url }, columns });

describe('vigil forecast', () => {
  it('prints the hours of a host within 80 columns, the verdict and the trend', async () => {
    const { code, out, err } = await vigil(['h1', '--hours', '3'], 80);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(out).toMatch(/2026-01-01 02:00 │ 30\.0 +│ 41\.3 +│ 50\.0 +│ 12/);
    expect(out).toContain('h1, cpu: forecast by the hour of the day won');
    expect(out).toContain('\nno trend: 12 full days');
    expect(out).toContain('\nno trend towards 80 %');
  });

  it('prints the response of the API as JSON, and single columns as values', async () => {
    const whole = JSON.parse((await vigil(['--instance-id', 's1', '--load', 'memory', '--json'])).out);
    expect(whole).toMatchObject({ kind: 'instance', load: 'memory', season: 'day', backtest: { verdict: 'won' } });
    expect(whole.hours).toHaveLength(24);
    const values = await vigil(['h1', '--hours', '2', '-f', 'value', '-c', 'High %', '-c', 'text']);
    expect(values.out).toBe('50 expected 30 to 50 %\n50 expected 30 to 50 %\n');
  });

  it('prints when an aggregate or a flavor is full', async () => {
    const aggregate = await vigil(['--aggregate', 'fast', '--full-at', '80'], 80);
    expect(aggregate).toMatchObject({ code: 0, err: '' });
    for (const line of aggregate.out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(aggregate.out).toContain('aggregate fast, 2 hosts: 80 % in 37 days (31 to 46)');
    expect((await vigil(['--flavor', 'm1.small'])).out).toContain('flavor m1.small, 2 hosts, 12 places: ');
    expect((await vigil(['--flavor', 'm1.small'])).out).toMatch(/^zone +az1 +2 +12$/m);
    const values = await vigil(['--flavor', 'm1.small', '-f', 'csv', '-c', 'resource', '-c', 'percent']);
    expect(values.out.split(/\r?\n/)).toEqual(['"Resource","Used %"', '"cpu",61.5', '"memory",61.5', '']);
  });

  it.each([
    [['--aggregate', 'fat'], 1, 'did you mean fast?'],
    [['--flavor', 'm1.small', '--hours', '3'], 2, '--hours'],
    [['h1', '--full-at', '101'], 1, 'full_at'],
    [['h2'], 1, 'did you mean h1?'],
    [['h1', '--hours', '169'], 1, 'hours'],
    [['h1', '--hours', '0'], 2, 'hours'],
    [['h1', '--load', 'disk'], 2, 'cpu, memory'],
    [[], 2, '--instance-id'],
    [['h1', '--instance-id', 's1'], 2, '--instance-id'],
  ])('refuses %j with %i', async (words, expected, text) => {
    const { code, out, err } = await vigil(words);
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(err).toContain(text);
  });
});
