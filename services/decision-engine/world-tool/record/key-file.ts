import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { messageOf, OperatorError } from '#libs/domain';

const keyBytes = 32;

/**
 * Reads the key of the pseudonyms, 64 hexadecimal digits. Creates a missing file with a random key, readable only by
 * its owner. Throws OperatorError when the file cannot be read or written, or has no key.
 */
export async function readOrCreateKey(path: string): Promise<{ key: Buffer; isNew: boolean }> {
  const fresh = randomBytes(keyBytes);
  try {
    await writeFile(path, `${fresh.toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
    return { key: fresh, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, messageOf(error), error);
  }
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unusable(path, messageOf(error), error);
  });
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) throw unusable(path, 'it must have 64 hexadecimal digits');
  return { key: Buffer.from(text.trim(), 'hex'), isNew: false };
}

function unusable(path: string, reason: string, cause?: unknown): OperatorError {
  return new OperatorError(`key file ${path}: ${reason}`, { cause, exitCode: 2 });
}
