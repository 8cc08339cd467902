import { describe, expect, it } from 'vitest';
import { declaredNeeds } from './declared-needs.ts';

describe('the needs of a test file', () => {
  it.each([
    ['plain.test.ts', []],
    ['sums.property.test.ts', []],
    ['rows.db.test.ts', ['postgres']],
    ['bus.contract.test.ts', ['postgres', 'rabbitmq']],
    ['page.e2e.test.ts', ['postgres', 'chromium', 'program', 'dashboard']],
  ])('follow from the kind of %s', (file, needs) => {
    expect([...declaredNeeds(file, '')]).toEqual(needs);
  });

  it('are extended by a line at the top of the file', () => {
    const text = "// @needs influxdb, build\nimport { expect } from 'vitest';\n";
    expect([...declaredNeeds('rows.db.test.ts', text)]).toEqual(['postgres', 'influxdb', 'build']);
  });

  it('are not read from the rest of the text', () => {
    expect([...declaredNeeds('a.test.ts', `import './influxdb.ts';\n\n\n\n\n// @needs influxdb\n`)]).toEqual([]);
  });

  it('must be known by name', () => {
    expect(() => declaredNeeds('a.test.ts', '// @needs influx')).toThrow(
      /a\.test\.ts: @needs names the unknown "influx"; known: postgres, .*influxdb/,
    );
  });
});
