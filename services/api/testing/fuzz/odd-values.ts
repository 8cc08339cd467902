/** Picks and mutates with a seeded source, so that a failure can be repeated. */
export interface Chooser {
  /** Below `count`. */
  index(count: number): number;
  pick<T>(values: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** A chooser over a source of numbers from 0 to below 1. */
export function createChooser(random: () => number): Chooser {
  const index = (count: number) => Math.floor(random() * count);
  return {
    index,
    pick: <T>(values: readonly T[]) => values[index(values.length)] as T,
    once: (times) => index(times) === 0,
  };
}

/** Texts that break careless code. */
export const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  '9'.repeat(40),
  'null',
  'None',
  'true',
  '__proto__',
  'constructor',
  'detail',
  'a\u0000b',
  '\ud800',
  '\uffff',
  '😀'.repeat(20),
  'é'.normalize('NFD'),
  "'; DROP TABLE audits; --",
  '%s%n%x',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  'a/b',
  'line\r\nbreak',
  'x'.repeat(64),
  'x'.repeat(300),
  'x'.repeat(5000),
  '00000000-0000-4000-8000-000000000000',
  '{00000000-0000-4000-8000-000000000000}',
  'urn:uuid:00000000000040008000000000000000',
  '2026-01-01T00:00:00',
  '9999-12-31T23:59:59+14:00',
  '-271821-04-20',
  '*/5 * * * *',
  '99 * * * *',
  '@hourly',
];

/** JSON values of every type. */
export const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: 1 },
  { compute: [] },
  [{ compute: [{ host_aggregates: [{ id: '*' }] }] }],
  JSON.parse('{"__proto__": {"polluted": true}}'),
  ...oddTexts,
];

/** Bodies that are not JSON, or far too much of it. */
export const oddBodies: readonly string[] = [
  '',
  ' ',
  '{',
  '[',
  '{"a":',
  '{"a":1}}',
  '{a:1}',
  "{'a': 1}",
  'NaN',
  '\u0000',
  '\ufeff{}',
  '<xml/>',
  'a=b&c=d',
  '['.repeat(100_000),
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
  `{"goal":"dummy","audit_type":"ONESHOT","parameters":${'{"a":'.repeat(150)}1${'}'.repeat(150)}}`,
  `[${'{"op":"add","path":"/name","value":"x"},'.repeat(2000)}{}]`,
  `{"name":"${'x'.repeat(200_000)}","goal":"dummy"}`,
  `{"goal":"dummy",${Array.from({ length: 3000 }, (_, at) => `"k${at}":1`).join(',')}}`,
];
