import type { MetricFinding } from './check-metrics.ts';

/** Maximum number of missing resources that are named. */
const examples = 3;

/** One line per metric: number of resources with it, its source, and the resources without it. */
export function metricsReport(findings: readonly MetricFinding[]): string {
  const width = Math.max(...findings.map(({ metric }) => metric.length));
  return findings.map((finding) => `${finding.metric.padEnd(width)}  ${textOf(finding)}\n`).join('');
}

function textOf({ metric, source, realName, found, missing, reasons }: MetricFinding): string {
  const kind = metric.startsWith('host') ? 'hosts' : 'instances';
  const total = found.length + missing.length;
  if (found.length === 0) return `none of ${total} ${kind}${reasons.length > 0 ? `; ${reasons.join('; ')}` : ''}`;
  const place = `${source}${realName ? `: ${realName}` : ''}`;
  if (missing.length === 0) return `all ${total} ${kind} (${place})`;
  const more = missing.length > examples ? `, and ${missing.length - examples} more` : '';
  return `${found.length} of ${total} ${kind} (${place}); missing: ${missing.slice(0, examples).join(', ')}${more}`;
}

/** Metrics of one host or instance: a line each. */
export function resourceReport(findings: readonly MetricFinding[], id: string): string {
  const own = findings.filter(({ found, missing }) => found.includes(id) || missing.includes(id));
  const width = Math.max(0, ...own.map(({ metric }) => metric.length));
  return own
    .map(({ metric, found, source, realName, reasons }) => {
      const has = found.includes(id) ? `${source}${realName ? `: ${realName}` : ''}` : `missing ${reasons.join('; ')}`;
      return `${metric.padEnd(width)}  ${has.trim()}\n`;
    })
    .join('');
}
