import type { EntityManager } from 'typeorm';
import type { Session } from '../session/session.ts';
import type { GraphEdge, GraphKind, GraphRelation, ServiceRegistry } from './types.ts';

const columns = {
  srcKind: 'src_kind',
  srcId: 'src_id',
  rel: 'rel',
  dstKind: 'dst_kind',
  dstId: 'dst_id',
} as const;
type EdgeField = keyof typeof columns;
type EdgeFilter = Partial<Pick<GraphEdge, EdgeField>>;

const mostEdges = 10_000;

/** Adds an edge. An existing edge keeps its time, and gets the given `attributes`. */
export async function linkEdge(
  manager: EntityManager,
  srcKind: GraphKind,
  srcId: string,
  rel: GraphRelation,
  dstKind: GraphKind,
  dstId: string,
  attributes?: object,
): Promise<void> {
  await manager.query(
    `INSERT INTO graph_edges (src_kind, src_id, rel, dst_kind, dst_id, attributes)
     VALUES ($1, $2, $3, $4, $5, coalesce($6::jsonb, '{}'::jsonb))
     ON CONFLICT ON CONSTRAINT pk_graph_edges ${
       attributes ? 'DO UPDATE SET attributes = excluded.attributes' : 'DO NOTHING'
     }`,
    [srcKind, srcId, rel, dstKind, dstId, attributes ? JSON.stringify(attributes) : null],
  );
}

/** Removes the edges that match all given fields. Returns their number. */
export async function unlinkEdges(manager: EntityManager, filter: EdgeFilter): Promise<number> {
  const { condition, parameters } = conditionOf(filter);
  if (parameters.length === 0) return 0;
  const [, count] = await manager.query<[unknown[], number]>(`DELETE FROM graph_edges WHERE ${condition}`, parameters);
  return count;
}

/** The resource graph. */
export function createGraph(session: Session): Pick<ServiceRegistry, 'link' | 'unlink' | 'edges' | 'graphSize'> {
  return {
    link: ({ srcKind, srcId, rel, dstKind, dstId, attributes }) =>
      session.write((manager) => linkEdge(manager, srcKind, srcId, rel, dstKind, dstId, attributes)),
    unlink: (filter) => session.write((manager) => unlinkEdges(manager, filter)),
    graphSize: () =>
      session.read(async (manager) => {
        const [row] = await manager.query<{ edges: number; newest: Date | null }[]>(
          'SELECT count(*) AS edges, max(since) AS newest FROM graph_edges',
        );
        return row ?? { edges: 0, newest: null };
      }),
    edges: (filter = {}, limit = mostEdges) =>
      session.read((manager) => {
        const { condition, parameters } = conditionOf(filter);
        return manager.query<GraphEdge[]>(
          `SELECT src_kind AS "srcKind", src_id AS "srcId", rel, dst_kind AS "dstKind", dst_id AS "dstId", attributes, since
           FROM graph_edges WHERE ${condition} ORDER BY src_kind, src_id, rel, dst_kind, dst_id
           LIMIT $${parameters.length + 1}`,
          [...parameters, Math.min(limit, mostEdges)],
        );
      }),
  };
}

function conditionOf(filter: EdgeFilter): { condition: string; parameters: string[] } {
  const given = (Object.keys(columns) as EdgeField[]).filter((field) => filter[field] !== undefined);
  return {
    condition: given.map((field, index) => `${columns[field]} = $${index + 1}`).join(' AND ') || 'true',
    parameters: given.map((field) => String(filter[field])),
  };
}
