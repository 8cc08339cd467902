import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { UnitOfWork } from '#libs/store';
import { ApiFault } from '../faults/fault.ts';

/** Fields that no client sees. */
const hiddenFields = new Set([
  'leaseExpiresAt',
  'runInstance',
  'fence',
  'autoTriggerUser',
  'autoTriggerRefused',
  'requester',
]);

/** Entity tag of a stored row. It changes with every change that a client can see, at any microversion. */
export function etagOf(row: object): string {
  const text = JSON.stringify(row, (name, value: unknown) => (hiddenFields.has(name) ? undefined : value));
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/**
 * Checks `If-Match` of a change against the current version. Waits for other changes with the header that are in
 * progress.
 * @throws ApiFault 412 when `row` has another version.
 */
export async function requireMatch<Row extends { uuid: string }>(
  request: FastifyRequest,
  unit: Pick<UnitOfWork, 'lock'>,
  uuid: string,
  readRow: () => Promise<Row>,
): Promise<void> {
  const wanted = request.headers['if-match'];
  if (typeof wanted !== 'string') return;
  await unit.lock(`if-match:${uuid}`);
  const tags = wanted.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(etagOf(await readRow()))) return;
  throw new ApiFault(412, 'The object has changed since it was read');
}
