import type { ScoringEngine } from '#libs/domain';
import type { Extent, ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/links.ts';

/** A scoring engine as the API shows it. Never has timestamps. */
export function scoringEngineBody(engine: ScoringEngine, extent: Extent, { host }: ViewContext): object {
  return {
    uuid: engine.uuid,
    name: engine.name,
    description: engine.description,
    ...(extent === 'full' ? { metainfo: engine.metainfo } : {}),
    links: objectLinks(host, 'scoring_engines', engine.uuid),
  };
}
