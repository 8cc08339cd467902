import { Link } from 'react-router';
import { useLiveEntity } from '../live/use-live.ts';

/** A link to an audit by name. */
export function AuditLink({ uuid }: { uuid: string | null }) {
  const audit = useLiveEntity('audit', uuid ?? '');
  if (!uuid) return <>–</>;
  return <Link to={`/audits/${uuid}`}>{audit?.name ?? shortId(uuid)}</Link>;
}

/** A link to a plan by the beginning of its uuid, and which plan it undoes. */
export function PlanLink({ uuid }: { uuid: string }) {
  const undone = useLiveEntity('action_plan', uuid)?.outcome?.rolls_back;
  return (
    <span>
      <Link to={`/plans/${uuid}`}>{shortId(uuid)}</Link>
      {undone && <span className="vigil-subtle"> undoes {shortId(undone)}</span>}
    </span>
  );
}

/** A link to a host by its name. */
export function HostLink({ hostname }: { hostname: string }) {
  return <Link to={`/cluster/hosts/${encodeURIComponent(hostname)}`}>{hostname}</Link>;
}

/** The part of a uuid that tells it from others for people. */
export function shortId(uuid: string): string {
  return uuid.slice(0, 8);
}
