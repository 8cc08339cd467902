import { describe, expect, it } from 'vitest';
import { createFakeEngine } from '../api/testing/fake-engine.ts';
import { useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const engine = createFakeEngine();
const api = await useTestApi({ bus: engine });
const url = await api.listen();

const vigil = (words: string[], columns?: number) =>
  runVigil(['whatif', ...words], { env: { VIGIL_API_URL: url }, columns });

describe('vigil whatif', () => {
  it('prints the response within 80 columns, and exits with 5 when it does not fit', async () => {
    const { code, out, err } = await vigil(['lose', 'host', 'h1'], 80);
    expect({ code, err }).toEqual({
      ...{ code: 5, err: 'vigil: lose: 2 instances of 1 host: 1 find a place on the other hosts, 1 do not\n' },
    });
    for (const line of out.split('\n').filter((text) => /[│┌]/.test(text)))
      expect(line.length, line).toBeLessThanOrEqual(80);
    expect(out).toContain('does_not_fit');
    expect(out).toMatch(/memory +│ h1 50 % +│ h2 87\.5 %/);
    expect(out).toMatch(/before +│ 1 of 2 +│ h1: not covered +│ h1/);
    expect(out).toMatch(/m1\.small +│ 14 +│ 3/);
    expect(out).toContain('Because: every packing of the instances was tried.');
  });

  it('prints the response of the API as JSON, and single columns', async () => {
    const { out } = await vigil(['place', 'm1.small', '--json']);
    expect(JSON.parse(out)).toMatchObject({ question: 'place', number: 14, is_exact: true });
    expect((await vigil(['place', 'm1.small', '-f', 'value', '-c', 'Places'])).out).toMatch(/^14\n/);
  });

  it.each<[string[], object]>([
    [['lose', 'zone', 'az1', 'az2'], { question: 'lose', kind: 'zone', names: ['az1', 'az2'] }],
    [['remove', 'h1'], { question: 'remove', names: ['h1'] }],
    [['add', '2', 'hosts', 'like', 'h1'], { question: 'add', count: 2, like: 'h1' }],
    [
      ['place', '20', 'of', 'm1.small', '--zone', 'az1', '--boot-from-volume'],
      { question: 'place', flavor: 'm1.small', count: 20, zone: 'az1', boot_from_volume: true },
    ],
    [['place', 'm1.small', '--project-id', 'q'], { question: 'place', count: null, zone: null, project_id: 'q' }],
    [['ratio', 'cpu=4.0', 'disk=1.5', 'h1'], { question: 'ratio', ratios: { cpu: 4, disk: 1.5 }, names: ['h1'] }],
    [
      ['move', 'vm-1', 'h2', 'vm-2', 'h1'],
      {
        question: 'move',
        moves: [
          { instance: 'vm-1', host: 'h2' },
          { instance: 'vm-2', host: 'h1' },
        ],
      },
    ],
  ])('%j requests %j', async (words, question) => {
    await vigil(words);
    expect(engine.requests.at(-1)).toMatchObject({ topic: 'cluster.what_if', body: question });
  });

  it.each([
    [['lose', 'cell', 'c1'], 'Allowed choices are host, rack, zone'],
    [['place', '20', 'm1.small'], 'place needs a flavor, or: <number> of <flavor>'],
    [['place', 'x', 'of', 'm1.small'], 'a whole number above 0 is needed, not x'],
    [['add', '0', 'hosts', 'like', 'h1'], 'a whole number above 0 is needed, not 0'],
    [['move', 'vm-1'], 'move needs pairs of an instance and a host'],
    [['ratio', 'ram=2'], 'unknown ratio ram; known ratios: cpu, memory, disk'],
    [['ratio', 'cpu=much'], 'cpu=much: the ratio must be a number'],
  ])('%j is wrong usage', async (words, text) => {
    const { code, err } = await vigil(words);
    expect(code).toBe(2);
    expect(err).toContain(text);
  });
});
