import { counted } from '#libs/domain';
import type { CliContext, PluginAssessment } from '../cli-context.ts';
import { wrapText } from './fit-columns.ts';
import type { OutputOptions } from './output-options.ts';
import { printJson } from './print.ts';
import { terminalWidth } from './terminal-width.ts';

type Strategy = PluginAssessment['strategies'][number];
type Finding = Strategy['properties'][number]['findings'][number];

/** Width of the columns of properties and verdicts, in characters. */
const [propertyWidth, verdictWidth] = [15, 14];
const verdictWords = { holds: 'holds', broken: 'BROKEN', not_assessed: 'not assessed' } as const;

/** Prints an assessment: a line for each property, and below it the evidence against it. */
export function printAssessment(context: CliContext, options: OutputOptions, assessment: PluginAssessment): void {
  const width = Math.max(40, context.columns ?? terminalWidth(context.env));
  if (options.json) {
    printJson(context, assessment, options);
    return;
  }
  for (const [index, strategy] of assessment.strategies.entries()) {
    if (index > 0) context.out('\n');
    context.out(`${strategyText(strategy, width)}\n`);
  }
}

function strategyText({ strategy, goal, good, properties, measures, days }: Strategy, width: number): string {
  const { worlds, runs, actions } = measures;
  const head = `${strategy} (goal ${goal}): ${good ? 'all assessed properties hold' : 'has broken properties'}`;
  const rows = properties.flatMap(({ property, verdict, summary, findings }) => [
    ...row(property, verdictWords[verdict], summary, width),
    ...findings.flatMap((finding) => findingLines(finding, width)),
  ]);
  const played = days.map(({ day, audits, moves, returns }) =>
    wrapText(`${day}: ${counted(audits, 'audit')}, ${counted(moves, 'migration')}, ${returns} to a former host`, width),
  );
  const sums = [counted(worlds, 'world'), counted(runs, 'run'), counted(actions, 'action')].join(', ');
  return [head, '', ...rows, '', sums, ...played].join('\n');
}

function row(property: string, verdict: string, summary: string, width: number): string[] {
  const start = `${property.padEnd(propertyWidth)}${verdict.padEnd(verdictWidth)}`;
  const [first = '', ...others] = wrapText(summary, width - start.length).split('\n');
  return [`${start}${first}`, ...others.map((line) => `${' '.repeat(start.length)}${line}`)];
}

function findingLines({ what, action, world, worlds, reproduce }: Finding, width: number): string[] {
  const indented = (lead: string, text: string, end = '') => {
    const [first = '', ...others] = wrapText(text, width - 4 - lead.length - end.length).split('\n');
    const rest = others.map((line) => `${' '.repeat(lead.length)}${line}`);
    return [`${lead}${first}`, ...rest].map((line, at, all) => `  ${line}${at < all.length - 1 ? end : ''}`);
  };
  const others = worlds > 1 ? `, and ${worlds - 1} more` : '';
  return [
    ...indented('- ', what),
    ...(action === null ? [] : indented('  action: ', action)),
    ...indented('  world:  ', `${world}${others}`),
    ...indented('  rerun:  ', reproduce, ' \\'),
  ];
}
