import type { ReplayedStrategy } from './audit-world.ts';

/** Columns of the table of a replay. */
export const replayColumns = [
  ...['strategy', 'plans', 'moves', 'moves_each', 'most_of_one', 'kwh', 'saved_kwh', 'hosts_used'],
  ...['overload_percent', 'unmet_percent', 'refused'],
] as const;

/**
 * Result of a strategy for the table. `moves_each`: moves per instance. `most_of_one`: most moves of one instance.
 * `saved_kwh`: energy saved compared to the replay without audits.
 */
export function replayRow({ strategy, sums }: ReplayedStrategy, baseline: ReplayedStrategy): Record<string, string> {
  const rounded = (value: number | undefined, digits: number) => String(Number((value || 0).toFixed(digits)));
  return {
    strategy,
    plans: rounded(sums.plans, 0),
    moves: rounded(sums.moves, 0),
    moves_each: rounded(sums.moves_per_instance, 2),
    most_of_one: rounded(sums.most_moves_of_one, 0),
    kwh: rounded(sums.kwh, 1),
    saved_kwh: rounded((baseline.sums.kwh ?? 0) - (sums.kwh ?? 0), 1),
    hosts_used: rounded(sums.hosts_used, 1),
    overload_percent: rounded(sums.overload_percent, 2),
    unmet_percent: rounded(sums.unmet_percent, 3),
    refused: rounded(sums.refused, 0),
  };
}

/** Sentences on failed runs and on missing measurements. */
export function replayNotes(results: readonly ReplayedStrategy[]): string[] {
  return results.flatMap(({ strategy, failed, missing_metrics: metrics }) => [
    ...(failed.runs === 0 ? [] : [`${strategy}: ${failed.runs} runs failed: ${failed.reason}`]),
    ...metrics.map(({ metric, resource_type: type, missing, asked, examples }) => {
      const kind = type === 'compute_node' ? 'hosts' : 'instances';
      const named = examples.slice(0, 3).join(', ');
      return `${strategy}: ${missing} of ${asked} ${kind} have no ${metric}, such as ${named}`;
    }),
  ]);
}

/** Wraps text to lines of at most 80 characters and indents the second and later ones. Longer words are not split. */
export function wrapNote(note: string): string {
  const lines: string[] = [];
  for (const word of note.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 80) lines.push(`${lines.pop()} ${word}`);
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Formats results as text: a measure in each line, a strategy in each column, at most 80 columns wide. */
export function replayTable(results: readonly ReplayedStrategy[]): string {
  const rows = results.map((result) => replayRow(result, results[0]!));
  const widths = rows.map((row) => Math.max(...replayColumns.map((name) => String(row[name]).length)));
  return replayColumns
    .map((name) => {
      const cells = rows.map((row, index) => String(row[name]).padStart(widths[index] ?? 0));
      return `${name.replaceAll('_', ' ').padEnd(16)}  ${cells.join('  ')}\n`;
    })
    .join('');
}
