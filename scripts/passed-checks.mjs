// Remembers in .vigil/checks which steps of `npm run check` have passed, and for which files: all that they read is the
// tree and what is installed, so that over the same files they say the same. Remove the folder to have them all run
// again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = '.vigil/checks';
/** What npm has installed. */
const installed = 'node_modules/.package-lock.json';

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return ''; // Removed, and git was not told yet; or a link to a folder.
  }
}

/**
 * Of all files that git knows or would add, of what is installed, and of the Node.js that runs the steps. Null where
 * there is no git.
 */
export function digestOfTree() {
  let listed;
  try {
    listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      maxBuffer: 64 * 1024 * 1024,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
  const hash = createHash('sha256').update(`${process.version}\0`).update(contentOf(installed));
  for (const file of listed.split('\0').sort()) {
    const content = contentOf(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function placeOf({ name }) {
  return join(folder, name.replaceAll(/[^a-z]+/gi, '-'));
}

/** Known by its command too: another one would find other things. */
function mark({ command }, digest) {
  return `${digest} ${command}\n`;
}

/** Whether the step has passed over the files of this digest. */
export function hasPassed(step, digest) {
  return digest !== null && contentOf(placeOf(step)).toString() === mark(step, digest);
}

/** Notes that the steps have passed, if nobody has changed a file since the digest was taken. */
export function notePassed(steps, digest) {
  if (digest === null || steps.length === 0 || digestOfTree() !== digest) return;
  mkdirSync(folder, { recursive: true });
  for (const step of steps) writeFileSync(placeOf(step), mark(step, digest));
}
