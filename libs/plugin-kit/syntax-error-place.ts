import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Of the process that loads the module again, in milliseconds. */
const timeLimitMs = 10_000;

/** File and line, the line itself, and marks below the wrong part of it. */
const shownPlace = /^(file:\/\/\S+|\/\S+):(\d+)\n.*\n( *)\^/m;

/**
 * Place of a syntax error in a module or in its imports, as `file:line:column`, counted from 1. Node shows the place
 * in the stack for some errors, and for others only at the end of a process that has not caught the error. Null when
 * the place is unknown.
 */
export async function placeOfSyntaxError(moduleUrl: string, stack: string): Promise<string | null> {
  return placeIn(stack) ?? placeIn(await loadedAlone(moduleUrl));
}

function placeIn(output: string): string | null {
  const [, file, line, indent] = shownPlace.exec(output) ?? [];
  if (file === undefined || indent === undefined) return null;
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return `${path}:${line}:${indent.length + 1}`;
}

/** Error output of a process that imports the module. */
function loadedAlone(moduleUrl: string): Promise<string> {
  const program = `await import(${JSON.stringify(moduleUrl)}); process.exit();`;
  const options = { env: {}, timeout: timeLimitMs, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], options, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
}
