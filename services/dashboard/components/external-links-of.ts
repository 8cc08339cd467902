import type { Session } from '../api/session.ts';

/** A page of another program. */
export interface ExternalLink {
  title: string;
  url: string;
}

/** Pages of a host. */
export function hostLinks({ grafana_host: grafana, horizon }: Session['links'], hostname: string): ExternalLink[] {
  return [
    ...(grafana === null ? [] : [{ title: 'Grafana', url: filled(grafana, { host: hostname }) }]),
    ...(horizon === null ? [] : [{ title: 'Horizon', url: below(horizon, 'admin/hypervisors/') }]),
  ];
}

/** Pages of an instance. */
export function instanceLinks(
  { grafana_instance: grafana, horizon }: Session['links'],
  instance: { uuid: string; name: string },
): ExternalLink[] {
  return [
    ...(grafana === null ? [] : [{ title: 'Grafana', url: filled(grafana, instance) }]),
    ...(horizon === null
      ? []
      : [{ title: 'Horizon', url: below(horizon, `admin/instances/${encodeURIComponent(instance.uuid)}/detail`) }]),
  ];
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

function below(root: string, path: string): string {
  return `${root.replace(/\/+$/, '')}/${path}`;
}
