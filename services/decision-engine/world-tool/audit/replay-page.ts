import type { ReplayedStrategy } from './audit-world.ts';
import { replayColumns, replayNotes, replayRow } from './replay-rows.ts';

const width = 760;
const height = 180;
const colours = ['#8a8d90', '#0066cc', '#c9190b', '#3e8635', '#f0ab00', '#6753ac'];

const style = `
:root { color-scheme: light dark; --ink: #151515; --ground: #ffffff; --line: #d2d2d2; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f2; --ground: #1b1d21; --line: #4d5258; } }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--ground); }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .6rem; text-align: right;
  border-bottom: 1px solid var(--line); } th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--ink); }
.legend span { margin-right: 1rem; } .dot { display: inline-block; width: .8rem; height: .8rem; }
.scroll { overflow-x: auto; }`;

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}

/** A chart with one line for each strategy over the hours, from 0 to the largest value. */
function chart(title: string, results: readonly ReplayedStrategy[], value: (hour: Hour) => number): string {
  const hours = Math.max(2, ...results.map((result) => result.hours.length));
  const most = Math.max(1e-9, ...results.flatMap((result) => result.hours.map(value)));
  const x = (hour: number) => (40 + (hour * (width - 50)) / (hours - 1)).toFixed(1);
  const y = (at: number) => (height - 20 - (at * (height - 40)) / most).toFixed(1);
  const lines = results.map(({ hours: points }, row) => {
    const path = points.map((hour, index) => `${x(index)},${y(value(hour))}`).join(' ');
    return `<polyline fill="none" stroke="${colourOf(row)}" stroke-width="1.5" points="${path}"/>`;
  });
  return `<h2>${title}</h2>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<line x1="40" y1="${height - 20}" x2="${width - 10}" y2="${height - 20}" stroke="var(--line)"/>
<text x="0" y="${y(most)}">${Number(most.toPrecision(3))}</text><text x="0" y="${height - 16}">0</text>
<text x="${width - 10}" y="${height - 4}" text-anchor="end">${hours} h</text>
${lines.join('\n')}
</svg>`;
}

type Hour = ReplayedStrategy['hours'][number];

function colourOf(row: number): string {
  return colours[row % colours.length] as string;
}

/** A self-contained page of a replay: a table and charts over time, for light and dark screens. */
export function replayPage(title: string, results: readonly ReplayedStrategy[]): string {
  const rows = results.map((result) => replayRow(result, results[0]!));
  const cells = rows.map(
    (row) => `<tr>${replayColumns.map((name) => `<td>${escaped(String(row[name]))}</td>`).join('')}`,
  );
  const legend = results.map(
    ({ strategy }, row) =>
      `<span><span class="dot" style="background:${colourOf(row)}"></span> ${escaped(strategy)}</span>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${style}</style></head><body>
<h1>${escaped(title)}</h1>
<div class="scroll"><table><tr>${replayColumns.map((name) => `<th>${name.replaceAll('_', ' ')}</th>`).join('')}</tr>
${cells.join('</tr>\n')}</tr></table></div>
${replayNotes(results)
  .map((note) => `<p>${escaped(note)}</p>`)
  .join('\n')}
<p class="legend">${legend.join(' ')}</p>
${chart('Hosts with instances', results, ({ used }) => used)}
${chart('Hosts that are on', results, ({ on }) => on)}
${chart('Energy, kWh in an hour', results, ({ kwh }) => kwh)}
${chart('Moves in an hour', results, ({ moves }) => moves)}
${chart('Demand that was not served, %', results, ({ unmet_percent: unmet }) => unmet || 0)}
</body></html>
`;
}
