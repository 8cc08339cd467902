import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ConfigurationError, type Logger, messageOf } from '#libs/domain';
import type { GnocchiMapping } from '#libs/history/gnocchi';
import type { MetricMapping } from '#libs/history/influxdb';
import type { PrometheusMapping } from '#libs/history/prometheus';
import { objectOf } from '../http/json-http.ts';
import { type MappedSource, metricMapRules, readSection } from './metric-map-rules.ts';

/** Changes of the built-in mappings, by data source. */
export interface MetricMap {
  prometheus?: PrometheusMapping;
  aetos?: PrometheusMapping;
  gnocchi?: GnocchiMapping;
  influxdb?: MetricMapping;
}

/** Sections of Watcher's file for sources that Vigil does not have. They are left out with a warning. */
const foreignSources = ['grafana', 'monasca', 'ceilometer'];

/**
 * Reads `VIGIL_METRIC_MAP_PATH`, YAML or JSON: data source, below it metric, below it a name or the changes.
 * @throws ConfigurationError that lists every fault of the file.
 */
export function readMetricMap(path: string, logger: Logger): MetricMap {
  const map: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [source, section] of Object.entries(readObject(path))) {
    if (foreignSources.includes(source)) {
      logger.warn({ source, path }, 'metric map has a section for an unknown data source');
    } else if (isMappedSource(source)) {
      map[source] = readSection(source, section ?? {}, faults);
    } else {
      faults.push(
        `there is no data source ${source} with a mapping; known are ${Object.keys(metricMapRules).join(', ')}`,
      );
    }
  }
  if (faults.length > 0)
    throw new ConfigurationError(faults.map((fault) => `VIGIL_METRIC_MAP_PATH, ${path}: ${fault}`));
  return map;
}

function isMappedSource(source: string): source is MappedSource {
  return Object.hasOwn(metricMapRules, source);
}

function readObject(path: string): Record<string, unknown> {
  try {
    const content: unknown = parse(readFileSync(path, 'utf8')) ?? {};
    const object = objectOf(content);
    if (object === null) throw new Error('its top level must have names of data sources');
    return object;
  } catch (error) {
    throw new ConfigurationError([`VIGIL_METRIC_MAP_PATH: ${path} cannot be read: ${messageOf(error)}`], {
      cause: error,
    });
  }
}
