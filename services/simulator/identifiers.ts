import { createHash } from 'node:crypto';

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A uuid (version 5 layout) that depends on `text` only, so that a world has the same ids at every start. */
export function derivedUuid(text: string): string {
  const hex = digest(text);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** 32 hexadecimal digits that depend on `text` only: Keystone's form of user, project and role ids. */
export function derivedHex(text: string): string {
  return digest(text).slice(0, 32);
}

/** Nova's `hostId`: 56 hexadecimal digits, equal for servers of one project on one host. */
export function hostIdOf(projectId: string, host: string): string {
  return digest(projectId + host).slice(0, 56);
}
