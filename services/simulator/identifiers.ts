import { createHash } from 'node:crypto';

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** 32 hexadecimal digits that depend on `text` only: Keystone's form of user, project and role ids. */
export function derivedHex(text: string): string {
  return digest(text).slice(0, 32);
}

/** Nova's `hostId`: 56 hexadecimal digits, equal for servers of one project on one host. */
export function hostIdOf(projectId: string, host: string): string {
  return digest(projectId + host).slice(0, 56);
}
