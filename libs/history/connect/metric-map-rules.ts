import { type MetricName, metricCatalogue } from '#libs/domain';
import { objectOf } from '../http/json-http.ts';

/** Returns the fault of a value, or null. */
type Check = (value: unknown) => string | null;

interface Rule {
  /** Name of the field in code. */
  key: string;
  check: Check;
}

const text: Check = (value) => (typeof value === 'string' && value !== '' ? null : 'must be a string');
const number: Check = (value) => (Number.isFinite(value) ? null : 'must be a number');
const factor: Check = (value) => (Number.isFinite(value) && value !== 0 ? null : 'must be a number other than 0');
const flag: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false');
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.some((word) => word === value) ? null : `must be ${words.join(' or ')}`;
const like =
  (pattern: RegExp, what: string): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? null : `must be ${what}`;
const texts =
  (name: Check): Check =>
  (value) => {
    const entries = Object.entries(objectOf(value) ?? { '': null });
    return entries.every(([key, one]) => name(key) === null && typeof one === 'string')
      ? null
      : 'must have names with texts';
  };

const seriesName = like(/^[a-zA-Z_:][\w:]*$/, 'the name of a series');
const labelName = like(/^[a-zA-Z_]\w*$/, 'the name of a label');
const listOf =
  (one: Check, what: string): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every((item) => one(item) === null) ? null : `must be ${what}`;
const joined: Check = (value) => {
  const { metric, on, label, ...others } = objectOf(value) ?? {};
  const fits = seriesName(metric) === null && labelName(label) === null && labelNames(on) === null;
  return fits && Object.keys(others).length === 0 ? null : 'must have metric, on (a list of labels) and label';
};
const labelNames = listOf(labelName, 'a list of labels');
const conversion: Record<string, Rule> = {
  kind: { key: 'kind', check: oneOf('gauge', 'counter') },
  scale: { key: 'scale', check: factor },
  offset: { key: 'offset', check: number },
  per_vcpu: { key: 'perVcpu', check: flag },
  least: { key: 'least', check: number },
  most: { key: 'most', check: number },
};
const prometheus: Record<string, Rule> = {
  ...conversion,
  metric: { key: 'metric', check: seriesName },
  labels: { key: 'labels', check: texts(labelName) },
  resource_label: { key: 'resourceLabel', check: labelName },
  subtract_from: { key: 'subtractFrom', check: seriesName },
  except: { key: 'except', check: texts(labelName) },
  plus: { key: 'plus', check: listOf(seriesName, 'a list of series') },
  is_sum: { key: 'isSum', check: flag },
  join: { key: 'join', check: joined },
};

/** The fields of a metric in each section of the metric map. A string sets the field `name`. */
export const metricMapRules = {
  prometheus: { fields: prometheus, name: 'metric' },
  aetos: { fields: prometheus, name: 'metric' },
  gnocchi: {
    fields: {
      metric: { key: 'metric', check: text },
      resource_type: { key: 'resourceType', check: text },
      kind: { key: 'kind', check: oneOf('gauge', 'cpu_time') },
      scale: { key: 'scale', check: factor },
    } as Record<string, Rule>,
    name: 'metric',
  },
  influxdb: {
    fields: {
      ...conversion,
      measurement: { key: 'measurement', check: text },
      field: { key: 'field', check: text },
      resource_tag: { key: 'resourceTag', check: text },
      tags: { key: 'tags', check: texts(text) },
    } as Record<string, Rule>,
    name: 'field',
  },
} as const;

export type MappedSource = keyof typeof metricMapRules;
type Change = string | Record<string, unknown> | null;

/** Reads one section of the map and adds its faults to `faults`. */
export function readSection(
  source: MappedSource,
  section: unknown,
  faults: string[],
): Partial<Record<MetricName, Change>> {
  const entries = objectOf(section);
  if (entries === null) {
    faults.push(`${source} must have metrics with their names`);
    return {};
  }
  const changes: Partial<Record<MetricName, Change>> = {};
  for (const [metric, given] of Object.entries(entries)) {
    const where = `${source}.${metric}`;
    if (metric in metricCatalogue) changes[metric as MetricName] = readChange(source, given, where, faults);
    else faults.push(`${where}: unknown metric ${metric}; known metrics: ${Object.keys(metricCatalogue).join(', ')}`);
  }
  return changes;
}

function readChange(source: MappedSource, given: unknown, where: string, faults: string[]): Change {
  const { fields, name } = metricMapRules[source];
  if (given === null) return null;
  if (typeof given === 'string') {
    const fault = fields[name]?.check(given) ?? null;
    if (fault !== null) faults.push(`${where} ${fault}`);
    return given;
  }
  const object = objectOf(given);
  if (object === null) {
    faults.push(`${where} must be a string, null or an object`);
    return null;
  }
  const change: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(object)) {
    const rule = fields[field];
    const fault =
      rule === undefined ? `is unknown; known fields: ${Object.keys(fields).join(', ')}` : rule.check(value);
    if (fault !== null) faults.push(`${where}.${field} ${fault}`);
    if (rule !== undefined) change[rule.key] = value;
  }
  return change;
}
