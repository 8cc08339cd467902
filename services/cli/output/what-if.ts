import { constraintPhrase, type WhatIf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { VerdictError } from '../errors.ts';
import { column } from './columns.ts';
import type { OutputOptions } from './output-options.ts';
import { isTable, printTables } from './print.ts';

const summaryColumns = [
  column('verdict'),
  column('number', { title: 'Places' }),
  column('moves_needed', { title: 'Migrations' }),
  column('moved_gib', { title: 'GiB moved' }),
  column('left', { title: 'No host found' }),
];
const fullestColumns = [
  column('resource'),
  column('before', { title: 'Fullest host before' }),
  column('after', { title: 'Fullest host after' }),
];
const reserveColumns = [
  column('reserve'),
  column('covered', { title: 'Hosts whose loss is covered' }),
  column('largest', { title: 'Largest host' }),
  column('not_covered', { isText: true }),
];
const placeColumns = [column('flavor'), column('places_before'), column('places_after')];
const hostColumns = [column('hostname', { title: 'Host' }), column('places')];
const obstacleColumns = [
  column('instance', { title: 'Instance' }),
  column('hostname', { title: 'Host' }),
  column('constraint'),
  column('obstacle', { isText: true }),
];
const moveColumns = [
  column('name', { title: 'Instance' }),
  column('from'),
  column('to'),
  column('way', { title: 'Method' }),
];

/** Every column of a response, for `-c`. */
export const whatIfColumns = [
  ...summaryColumns,
  ...fullestColumns,
  ...reserveColumns,
  ...placeColumns,
  ...hostColumns,
  ...obstacleColumns,
  ...moveColumns,
];

/** Maximum rows of the longer tables. `--json` has all. */
const shown = 10;

type Reserve = WhatIf['reserve']['before'];

function reserveRow(name: string, { hosts, covered, unknown, largest, not_covered: lacking }: Reserve): object {
  const open = unknown === 0 ? '' : `, ${unknown} unknown`;
  return {
    reserve: name,
    covered: `${covered} of ${hosts}${open}`,
    largest: largest === null ? '' : `${largest.hostname}: ${coverText[largest.verdict]}`,
    not_covered: listed(lacking),
  };
}

const coverText = { fits: 'covered', does_not_fit: 'not covered', unknown: 'unknown' } as const;

function listed(names: readonly string[]): string {
  const more = names.length > shown ? ` and ${names.length - shown} more` : '';
  return names.slice(0, shown).join(', ') + more;
}

const fullText = (full: WhatIf['fullest'][number]['before']) =>
  full === null ? '' : `${full.hostname} ${full.percent} %`;

/**
 * Prints the response to a what-if question.
 * @throws VerdictError with the verdict, which sets the exit code, unless it fits
 */
export function printWhatIf(context: CliContext, options: OutputOptions, response: WhatIf): void {
  const { reserve, question, verdict } = response;
  const places = response.places.map(({ flavor, before, after, is_exact: isExact }) => ({
    flavor,
    places_before: isExact ? before : `at most ${before}`,
    places_after: isExact ? after : `at most ${after}`,
  }));
  const obstacles = response.obstacles.map(({ instance, name, hostname, constraint, hosts }) => ({
    instance: name ?? instance ?? '',
    hostname: hostname ?? (hosts === null ? '' : `${hosts} hosts`),
    constraint,
    obstacle: constraintPhrase(constraint),
  }));
  const number = response.number === null || response.is_exact ? response.number : `at most ${response.number}`;
  const rows = <Row>(list: readonly Row[]) => (isTable(options) && !options.column ? list.slice(0, shown) : list);
  printTables(context, options, response, [
    {
      row: { ...response, number, moved_gib: Math.round((response.moves_memory / 1024) * 10) / 10 },
      columns: summaryColumns,
    },
    {
      rows: [
        reserveRow('before', reserve.before),
        ...(reserve.after === null ? [] : [reserveRow('after', reserve.after)]),
      ],
      columns: reserveColumns,
    },
    {
      rows: response.fullest.map((row) => ({ ...row, before: fullText(row.before), after: fullText(row.after) })),
      columns: fullestColumns,
    },
    { rows: places, columns: placeColumns },
    { rows: rows(response.hosts), columns: hostColumns },
    { rows: rows(obstacles), columns: obstacleColumns },
    { rows: rows(response.moves), columns: moveColumns },
  ]);
  if (isTable(options) && !options.column) {
    const notes = response.notes.map((note) => `Note: ${note}\n`).join('');
    context.out(`${response.text}.\n${response.because === null ? '' : `Because: ${response.because}.\n`}${notes}`);
  }
  if (verdict !== 'fits') throw new VerdictError(verdict, `${question}: ${response.text}`);
}
