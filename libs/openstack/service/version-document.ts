import type { MicroversionRange } from './microversion.ts';

/**
 * The microversions in a version document: `{"version": {…}}` (Nova below `/v2.1/`) or `{"versions": [{…}]}` (roots of
 * Placement and Cinder), of the entry whose id begins with `major` such as `v2.1`. Null when there are none.
 */
export function parseVersionDocument(body: unknown, major: string): MicroversionRange | null {
  if (!isObject(body)) return null;
  const entries = Array.isArray(body.versions) ? body.versions : [body.version];
  for (const entry of entries) {
    if (!isObject(entry) || typeof entry.id !== 'string' || !entry.id.startsWith(major)) continue;
    const max = entry.max_version ?? entry.version;
    const min = entry.min_version;
    if (typeof max === 'string' && typeof min === 'string' && max !== '' && min !== '') return { min, max };
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
