// Copies the files that Kolla's config.json names, and prints the command to run. As root it gives them to the user
// `node` and ignores the named owner, because the users of Kolla's images do not exist here.
const { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');

/** Of the image. */
const nodeUser = 1000;

/** Paths of a source, whose last part may have stars. */
function expand(source) {
  if (!source.includes('*')) return existsSync(source) ? [source] : [];
  const folder = dirname(source);
  const [first, ...others] = basename(source).split('*');
  const pattern = new RegExp(
    `^${[first, ...others].map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`,
  );
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => join(folder, name))
    : [];
}

function targetOf(path, { source, dest }) {
  const isFolder = statSync(path).isDirectory();
  const isInto = dest.endsWith('/') || (!isFolder && existsSync(dest) && statSync(dest).isDirectory());
  return source.includes('*') || (isInto && !isFolder) ? join(dest, basename(path)) : dest;
}

function giveToNode(path) {
  const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  for (const each of [path, ...below.map((name) => join(path, name))]) chownSync(each, nodeUser, nodeUser);
}

function copy(file) {
  const found = expand(file.source);
  if (found.length === 0 && !file.optional) throw new Error(`${file.source} is not there, and not optional`);
  for (const path of found) {
    const target = targetOf(path, file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(path, target, { recursive: true });
    if (file.perm && !statSync(path).isDirectory()) chmodSync(target, Number.parseInt(file.perm, 8));
    if (process.getuid() === 0) giveToNode(target);
  }
}

/** A deployment may run Watcher's API below a web server. Ours listens itself, with the default files as there. */
function ourCommand(command) {
  if (/^(\S*\/)?(watcher-|vigil(\s|$))/.test(command)) return command;
  return 'watcher-api';
}

try {
  const { command, config_files: files = [] } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  if (typeof command !== 'string') throw new Error('it names no command');
  for (const file of files) copy(file);
  console.log(ourCommand(command));
} catch (error) {
  console.error(`kolla_start: ${process.argv[2]}: ${error.message}`);
  process.exit(1);
}
