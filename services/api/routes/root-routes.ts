import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { queryArguments } from '../collections/query-arguments.ts';
import { type BaseUrls, collectionLinks } from '../http/request/links.ts';
import { maxVersion, minVersion } from '../http/request/microversion.ts';
import { describe } from '../openapi/route-schemas.ts';
import { component, linksSchema } from '../openapi/shared-schemas.ts';

const versionSchema = Type.Object(
  {
    id: Type.String(),
    status: Type.String(),
    min_version: Type.String(),
    max_version: Type.String(),
    links: linksSchema,
  },
  { $id: 'Version', additionalProperties: false },
);
const optionalLinks = Type.Optional(linksSchema);

/** Components of the discovery documents. */
export const rootSchemas = [
  versionSchema,
  Type.Object(
    {
      name: Type.String(),
      description: Type.String(),
      versions: Type.Array(component('Version')),
      default_version: component('Version'),
    },
    { $id: 'Root', additionalProperties: false },
  ),
  Type.Object(
    {
      id: Type.String(),
      media_types: Type.Array(Type.Object({ base: Type.String(), type: Type.String() })),
      links: Type.Array(Type.Object({ href: Type.String(), rel: Type.String(), type: Type.Optional(Type.String()) })),
      audit_templates: linksSchema,
      audits: linksSchema,
      actions: linksSchema,
      action_plans: linksSchema,
      scoring_engines: linksSchema,
      services: linksSchema,
      data_model: optionalLinks,
      webhooks: optionalLinks,
    },
    { $id: 'VersionDocument', additionalProperties: false },
  ),
];

const collections = ['audit_templates', 'audits', 'actions', 'action_plans', 'scoring_engines', 'services'];
/** Collections of the version document and the first minor version that lists them. */
const laterCollections = [
  { name: 'data_model', since: 3 },
  { name: 'webhooks', since: 4 },
];

/** The public document of `/`. It needs no dependency, so load balancers check it before the API is ready. */
export function rootDocument({ app }: Pick<BaseUrls, 'app'>) {
  const version = {
    id: 'v1',
    status: 'CURRENT',
    min_version: minVersion,
    max_version: maxVersion,
    links: [{ href: `${app}/v1/`, rel: 'self' }],
  };
  return {
    name: 'OpenStack Watcher API',
    description:
      'Watcher is an OpenStack project which aims to improve physical resources usage through better VM placement.',
    versions: [version],
    default_version: version,
  };
}

/** The two discovery documents, `/` (public) and `/v1`. */
export function registerRootRoutes(app: FastifyInstance): void {
  const rootSchema = describe({
    tag: 'versions',
    operationId: 'get_root',
    summary: 'Versions of the API',
    response: 'Root',
  });
  app.get('/', { schema: rootSchema }, async (request) => {
    queryArguments(request);
    return rootDocument(request.base);
  });
  const versionDocSchema = describe({
    tag: 'versions',
    operationId: 'get_version',
    summary: 'Collections of API v1',
    response: 'VersionDocument',
  });
  app.get('/v1', { schema: versionDocSchema }, async (request) => {
    queryArguments(request);
    const { app: base } = request.base;
    const later = laterCollections.filter(({ since }) => request.microversion >= since).map(({ name }) => name);
    return {
      id: 'v1',
      media_types: [{ base: 'application/json', type: 'application/vnd.openstack.watcher.v1+json' }],
      links: [
        { href: `${base}/v1/`, rel: 'self' },
        {
          href: 'http://docs.openstack.org/developer/watcher/dev/api-spec-v1.html',
          rel: 'describedby',
          type: 'text/html',
        },
      ],
      ...Object.fromEntries([...collections, ...later].map((name) => [name, collectionLinks(base, name)])),
    };
  });
}
