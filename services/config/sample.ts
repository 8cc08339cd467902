import { optionOf } from '#libs/config-file';
import { cloudKeys } from './cloud-keys.ts';
import { type ConfigurationSection, configurationSections } from './sections.ts';

const width = 100;
const forDevelopment = new Set(['simulator', 'up']);

/** A `vigil.conf` with every key as a comment, its meaning and its default. */
export function sampleFile(): string {
  const seen = new Set<string>();
  const sections = configurationSections.filter(({ process }) => !forDevelopment.has(process ?? ''));
  return `# Configuration of Vigil; \`vigil config check\` judges it. A variable of the environment comes before a key here:
# database_url of [vigil] is VIGIL_DATABASE_URL, auth_url of [openstack] is OS_AUTH_URL. A section such as [vigil-api] or
# [vigil-applier] holds keys for one kind of process. $name stands for another key, $$ for a dollar. A running process
# takes new values of reloadable keys within 15 seconds; the others need a restart.

[openstack]

${cloudKeys
  .filter(({ names }) => names[0]?.startsWith('OS_') && !names[0].includes('<'))
  .map(({ names, description }) => commented(names[0] ?? '', plain(description), ''))
  .join('\n')}
[vigil]

${sections.map((section) => keysOf(section, seen)).join('\n')}`;
}

function keysOf({ title, schema }: ConfigurationSection, seen: Set<string>): string {
  const keys = Object.entries(schema).filter(([name]) => !seen.has(name));
  for (const [name] of keys) seen.add(name);
  const lines = keys.map(([name, key]) =>
    commented(name, plain(`${key.description}${key.reloadable ? ' Reloadable.' : ''}`), key.defaultText ?? ''),
  );
  return `# ${'-'.repeat(20)} ${plain(title)}\n\n${lines.join('\n')}`;
}

function commented(name: string, description: string, value: string): string {
  return `${wrapped(description)}\n#${optionOf(name).key} = ${value.replaceAll('$', '$$$$')}\n`;
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}

function wrapped(text: string): string {
  return wrapWords(text, width)
    .map((line) => `# ${line}`)
    .join('\n');
}

/** Wraps a text at `columns` characters. A longer word gets a separate line. */
export function wrapWords(text: string, columns: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > columns) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
