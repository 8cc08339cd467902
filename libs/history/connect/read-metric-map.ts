import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ConfigurationError, type Logger, messageOf } from '#libs/domain';
import type { GnocchiMapping } from '#libs/history/gnocchi';
import type { MetricMapping } from '#libs/history/influxdb';
import type { PrometheusMapping } from '#libs/history/prometheus';
import { objectOf } from '../http/json-http.ts';
import { type MappedSource, metricMapRules, readSection } from './metric-map-rules.ts';

/** Changes to the built-in mappings, by data source. */
export interface MetricMap {
  prometheus?: PrometheusMapping;
  aetos?: PrometheusMapping;
  gnocchi?: GnocchiMapping;
  influxdb?: MetricMapping;
}

/** Sections of Watcher's file for sources that Vigil does not have. They are ignored with a warning. */
const foreignSources = ['grafana', 'monasca', 'ceilometer'];

/**
 * Reads the YAML or JSON file of `VIGIL_METRIC_MAP_PATH`: for each data source and metric, a name or changed fields.
 * @throws ConfigurationError with every fault of the file
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
      faults.push(`unknown data source ${source}; known data sources: ${Object.keys(metricMapRules).join(', ')}`);
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
