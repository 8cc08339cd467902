// The form of CHANGELOG.md, for the release and its test: that of keepachangelog.com, with short entries and no
// repetitions.

const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const longestLine = 120;
const mostLines = 3;

/**
 * The versions of a change log in its order: `version` (`Unreleased` or `1.2.0`), `date` or null, and the `text` below
 * the heading.
 */
export function changelogSections(changelog) {
  const parts = changelog.split(/^(?=## )/m).slice(1);
  return parts.map((part) => {
    const [, version = part.split('\n')[0], date = null] = /^## \[(\S+)\](?: - (\S+))?$/m.exec(part) ?? [];
    return { version, date, text: part.slice(part.indexOf('\n')).trim() };
  });
}

/** Faults of the form, a line each. */
export function changelogFaults(changelog) {
  const [open, ...released] = changelogSections(changelog);
  const dates = released.map(({ date }) => date);
  const faults = [];
  if (open?.version !== 'Unreleased' || open.date !== null) faults.push('the first heading must be "## [Unreleased]"');
  for (const { version, date } of released) {
    if (!/^\d+\.\d+\.\d+$/.test(version) || !/^\d{4}-\d\d-\d\d$/.test(date ?? ''))
      faults.push(`${version}: the heading must be "## [x.y.z] - YYYY-MM-DD"`);
  }
  if (dates.join() !== [...dates].sort().reverse().join()) faults.push('the newest version must be first');
  for (const { version, text } of [open, ...released]) {
    for (const fault of text ? faultsOf(text) : []) faults.push(`${version}: ${fault}`);
  }
  return faults;
}

/** The sections of one version. The text before the first kind of changes is its upgrade notes. */
function faultsOf(text) {
  const [, ...parts] = `\n${text}`.split(/^### /m);
  const headings = parts.map((part) => part.split('\n')[0]);
  const lines = text.split('\n').filter((line) => line.length > longestLine);
  const inOrder = kinds.filter((kind) => headings.includes(kind));
  return [
    ...(headings.join() === inOrder.join() ? [] : [`its headings must be some of ${kinds.join(', ')}, in this order`]),
    ...parts.flatMap(faultsOfPart),
    ...twice(parts.flatMap((part) => part.split(/^\* /m).slice(1))),
    ...lines.map((line) => `a line has more than ${longestLine} signs: ${line.slice(0, 40)}…`),
  ];
}

function faultsOfPart(part) {
  const [beginning, ...entries] = part.split(/^\* /m);
  const [heading, ...rest] = beginning.split('\n');
  const long = entries.filter((entry) => entry.trim().split('\n').length > mostLines);
  return [
    ...(entries.length === 0 ? [`${heading} has no entry`] : []),
    ...(rest.join('').trim() === '' ? [] : [`${heading} has text that belongs to no entry`]),
    ...long.map((entry) => `an entry has more than ${mostLines} lines: ${entry.slice(0, 40)}…`),
  ];
}

function twice(entries) {
  const begins = entries.map((entry) => entry.replace(/\s+/g, ' ').trim().slice(0, 50));
  return begins.filter((begin, index) => begins.indexOf(begin) < index).map((begin) => `told twice: ${begin}…`);
}
