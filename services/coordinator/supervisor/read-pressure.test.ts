import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPressure } from './read-pressure.ts';

it('the pressure figures of the kernel are read per resource', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-pressure-'));
  try {
    expect(await readPressure(folder)).toBeNull();
    const lines =
      'some avg10=98.66 avg60=73.47 avg300=27.81 total=133254700\nfull avg10=1.50 avg60=0.00 avg300=0.00 total=0\n';
    await writeFile(join(folder, 'cpu'), lines);
    expect(await readPressure(folder)).toEqual({
      cpu: {
        some_avg10: 98.66,
        some_avg60: 73.47,
        some_avg300: 27.81,
        full_avg10: 1.5,
        full_avg60: 0,
        full_avg300: 0,
      },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
