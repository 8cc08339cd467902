// The wording of comments, messages, pages and texts: a step of `npm run check`. `node scripts/prose/check-prose.mjs
// [PATH …]` checks these paths only, `--count` prints the findings by rule and folder, `--no-allowed` ignores the allow
// list.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commentColumns, proseRules } from './prose-rules.mjs';
import { textsOfHashComments, textsOfMarkdown, textsOfSource } from './read-texts.mjs';

const readers = [
  [/\.(ts|tsx|mjs|cjs)$/, textsOfSource],
  [/\.md$/, (_, source) => textsOfMarkdown(source)],
  [/\.(ya?ml|sh|service|target|conf)$|Dockerfile$|^\.ci\//, (_, source) => textsOfHashComments(source)],
];
/** Written by programs, or by others. */
const notOurs =
  /\/generated\/|^package-lock\.json$|^docs\/site\/package-lock\.json$|^services\/simulator\/worlds\/.*\.json$/;

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const unknown = options.find((option) => option !== '--count' && option !== '--no-allowed');
if (unknown) {
  console.error(`there is no option ${unknown}: --count or --no-allowed`);
  process.exit(2);
}
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** Findings that stay, each with its reason: the file, the words that surround the habit, and why. */
const allowed = options.includes('--no-allowed')
  ? []
  : JSON.parse(readFileSync(new URL('allowed-prose.json', import.meta.url), 'utf8'));
const used = new Set();

function isAllowed(file, text) {
  const found = allowed.find((entry) => (entry.file === file || entry.file === '*') && text.includes(entry.words));
  if (found) used.add(found);
  return found !== undefined;
}

function findingsOf(file) {
  const read = readers.find(([pattern]) => pattern.test(file))?.[1];
  if (!read || notOurs.test(file)) return [];
  const source = sourceOf(file);
  const texts = read(file, source);
  return [...texts.flatMap((text) => habitsIn(file, text)), ...longComments(source, texts)].map((found) => ({
    ...found,
    file,
  }));
}

function habitsIn(file, { kind, line, text }) {
  const rules = proseRules.filter(({ kinds }) => kinds === undefined || kinds.includes(kind));
  return rules.flatMap(({ name, pattern, instead }) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: words }) => {
      const at = line + (text.slice(0, index).match(/\n/g)?.length ?? 0);
      const around = text
        .slice(text.lastIndexOf('\n', index) + 1)
        .split('\n', 1)[0]
        .trim();
      if (isAllowed(file, around)) return [];
      return [{ rule: name, line: at, shown: `"${words}" in: ${around.slice(0, 140)}`, instead }];
    }),
  );
}

function longComments(source, texts) {
  const lines = source.split('\n');
  return texts
    .filter(({ kind }) => kind === 'comment')
    .flatMap(({ line, text }) => text.split('\n').map((_, index) => line + index))
    .filter((line) => lines[line - 1].length > commentColumns && /^\s*(\/\/|\/?\*|#|\{\/\*)/.test(lines[line - 1]))
    .map((line) => ({
      rule: 'long line',
      line,
      shown: `${lines[line - 1].length} columns`,
      instead: `at most ${commentColumns}`,
    }));
}

function sourceOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Removed from the tree, still in the index.
  }
}

function countBy(findings, keyOf) {
  const counts = new Map();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...paths], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const files = listed.split('\n').filter(Boolean);
if (paths.length === 0 && files.length < 1000) throw new Error(`only ${files.length} files were found`);
const findings = files.flatMap(findingsOf);

if (options.includes('--count')) {
  for (const [rule, count] of countBy(findings, ({ rule }) => rule))
    console.log(`${String(count).padStart(6)}  ${rule}`);
  const folders = countBy(findings, ({ file }) =>
    file
      .split('/')
      .slice(0, file.includes('/') ? 2 : 1)
      .join('/'),
  );
  for (const [folder, count] of folders) console.log(`${String(count).padStart(6)}  ${folder}`);
} else {
  for (const { file, line, rule, shown, instead } of findings)
    console.error(`${file}:${line} ${rule}: ${shown} (instead: ${instead})`);
}
if (paths.length === 0) {
  for (const { file, words } of allowed.filter((entry) => !used.has(entry))) {
    findings.push({ file });
    console.error(`allowed-prose.json: nothing in ${file} needs "${words}" now`);
  }
}
console.log(`${findings.length} findings in ${files.length} files`);
if (findings.length > 0) process.exitCode = 1;
