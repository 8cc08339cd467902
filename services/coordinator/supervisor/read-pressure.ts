import { readFile } from 'node:fs/promises';
import type { JsonObject } from '#libs/domain';

const resources = ['cpu', 'io', 'memory'] as const;

/**
 * Reads the kernel's pressure stall figures: per resource the percentage of time that some (or all) tasks waited for
 * it, over 10, 60 and 300 s, such as `{ cpu: { some_avg10: 93.1, … } }`.
 * @param folder default `/proc/pressure`
 * @returns null when the kernel has none
 */
export async function readPressure(folder = '/proc/pressure'): Promise<JsonObject | null> {
  const figures: JsonObject = {};
  for (const resource of resources) {
    const text = await readFile(`${folder}/${resource}`, 'utf8').catch(() => '');
    const averages = averagesOf(text);
    if (Object.keys(averages).length > 0) figures[resource] = averages;
  }
  return Object.keys(figures).length > 0 ? figures : null;
}

/** Figures of lines such as `some avg10=1.50 avg60=0.40 avg300=0.10 total=123`. */
function averagesOf(text: string): Record<string, number> {
  const averages: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const [share, ...fields] = line.split(' ');
    for (const field of fields) {
      const [name, value] = field.split('=');
      if (name?.startsWith('avg')) averages[`${share}_${name}`] = Number(value);
    }
  }
  return averages;
}
