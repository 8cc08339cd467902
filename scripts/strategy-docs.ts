import { metricCatalogue } from '#libs/domain';
import { goalCatalogue } from '#libs/goals';
import type { StrategyManifest } from '#libs/plugin-kit';
import { strategyCatalogue } from '#libs/strategies';

/** Markdown page with every built-in strategy by goal, from the manifests. */
export function renderStrategyDocs(): string {
  const goals = goalCatalogue.map(({ name, displayName }) => {
    const manifests = strategyCatalogue.map(({ manifest }) => manifest).filter(({ goal }) => goal === name);
    return manifests.length === 0
      ? ''
      : `## ${displayName} (\`${name}\`)\n\n${manifests.map(renderStrategy).join('\n')}`;
  });
  const unserved = goalCatalogue
    .filter(({ name }) => !strategyCatalogue.some(({ manifest }) => manifest.goal === name))
    .map(({ name }) => `\`${name}\``);
  return `# Strategies

Every built-in strategy by its goal: its purpose, its parameters with their defaults, and its required metrics. If an audit
names no strategy, the first strategy of the goal runs. [Plugins](plugins.md) add more. This page is generated from the manifests by \`npm run docs\`.
${unserved.length > 0 ? `\nGoals for strategies of plugins: ${unserved.join(', ')}.\n` : ''}
${goals.filter((text) => text !== '').join('\n')}`;
}

function renderStrategy(manifest: StrategyManifest): string {
  const metrics = manifest.metrics.map((name) => `\`${name}\` (${metricCatalogue[name].unit})`);
  return `### \`${manifest.name}\`

${manifest.description}

* Metrics: ${metrics.length > 0 ? metrics.join(', ') : 'none'}
* Models: ${manifest.models.join(', ')}${manifest.needsCompleteModel ? '; refused while a part of the cloud cannot be read' : ''}
* Planner: \`${manifest.planner}\`

${renderParameters(manifest.parameters.properties as Record<string, Property>)}`;
}

interface Property {
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

function renderParameters(properties: Record<string, Property>): string {
  const entries = Object.entries(properties ?? {});
  if (entries.length === 0) return 'It has no parameters.\n';
  const rows = entries.map(
    ([name, property]) =>
      `| \`${name}\` | ${typeOf(property)} | ${defaultOf(property)} | ${escaped(property.description ?? '')} |`,
  );
  return `| parameter | type | default | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

function typeOf({ type, enum: values, minimum, maximum }: Property): string {
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  const word = Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
  const least = minimum === undefined ? '' : `, from ${minimum}`;
  return word + least + (maximum === undefined ? '' : `${least === '' ? ',' : ''} to ${maximum}`);
}

function defaultOf({ default: value }: Property): string {
  return value === undefined ? '–' : `\`${escaped(JSON.stringify(value))}\``;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
