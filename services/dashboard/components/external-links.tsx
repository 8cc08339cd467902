import { useDashboard } from '../live/dashboard-context.tsx';
import { type ExternalLink, hostLinks, instanceLinks } from './external-links-of.ts';

/** Links to a host in Grafana and Horizon, as configured. Empty without configuration. */
export function HostExternalLinks({ hostname }: { hostname: string }) {
  return <ExternalLinks links={hostLinks(useDashboard().session.links, hostname)} />;
}

/** Links to an instance in Grafana and Horizon, as configured. Empty without configuration. */
export function InstanceExternalLinks({ uuid, name }: { uuid: string; name: string }) {
  return <ExternalLinks links={instanceLinks(useDashboard().session.links, { uuid, name })} />;
}

function ExternalLinks({ links }: { links: readonly ExternalLink[] }) {
  if (links.length === 0) return null;
  return (
    <span className="vigil-row-line">
      {links.map(({ title, url }) => (
        <a key={title} href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
      ))}
    </span>
  );
}
