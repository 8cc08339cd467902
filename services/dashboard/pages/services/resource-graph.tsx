import { Graph, layout } from '@dagrejs/dagre';
import { useMemo } from 'react';
import type { ResourceGraphResponse } from '../../api/internal-types.ts';
import { ArrowHead } from '../../components/arrow-head.tsx';
import { edgePath } from '../../components/edge-path.ts';
import { shortId } from '../../components/links.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { phraseOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';

const size = { width: 192, height: 44 };
const maxDrawn = 400;
const maxChars = 28;
/** Smallest scale of a drawing that fits the window. A larger drawing scrolls. */
const smallestScale = 0.85;

/** Processes, their hosts and their work. */
export function ResourceGraph() {
  const response = useStreamQuery<ResourceGraphResponse>('services/graph', ['resource_graph']);
  if (response.isPending) return <Loading what={text('services.graph')} as="drawing" />;
  if (!response.data)
    return (
      <Failure
        title={text('services.graphUnreadable')}
        error={response.error}
        onRetry={() => void response.refetch()}
      />
    );
  if (response.data.nodes.length === 0) return <Nothing title={text('services.graphNone')} />;
  if (response.data.nodes.length > maxDrawn)
    return <Nothing title={text('services.graphTooBig', { count: response.data.nodes.length })} />;
  return <Drawing response={response.data} />;
}

function Drawing({ response }: { response: ResourceGraphResponse }) {
  const graph = useMemo(() => place(response), [response]);
  const { width = 0, height = 0 } = graph.graph();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="vigil-graph" aria-label={text('services.graph')} tabIndex={0}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        style={{ minWidth: width * smallestScale, maxWidth: width }}
        role="img"
        aria-label={sentence(response)}
      >
        <ArrowHead id="resource-arrow" />
        {response.edges.map((edge) => {
          const { points } = graph.edge(edge.source, edge.target) as { points: { x: number; y: number }[] };
          const ends = { from: graph.node(edge.source), to: graph.node(edge.target) };
          return (
            <path
              key={`${edge.source} ${edge.relation} ${edge.target}`}
              d={edgePath({ ...ends, points }, size, 'LR')}
              className="vigil-arrow"
              markerEnd="url(#resource-arrow)"
            >
              <title>{`${edge.source} ${phraseOf(edge.relation)} ${edge.target}`}</title>
            </path>
          );
        })}
        {response.nodes.map((node) => {
          const { x, y } = graph.node(node.key);
          return (
            <g
              key={node.key}
              transform={`translate(${x - size.width / 2} ${y - size.height / 2})`}
              className="vigil-node"
            >
              <title>{node.key}</title>
              <rect width={size.width} height={size.height} rx="6" />
              <text x="10" y="18" className="vigil-step-title">
                {kindText(node.kind)}
              </text>
              <text x="10" y="35" className="vigil-step-detail">
                {idText(node.id)}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}

/** `ServiceInstance` in words. The process has the same name as on Vigil's other pages. */
function kindText(kind: string): string {
  if (kind === 'ServiceInstance') return text('services.processKind');
  const words = kind.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return words.charAt(0) + words.slice(1).toLowerCase();
}

/** Short uuids. Texts that are too long for their box are cut. */
function idText(id: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id)) return shortId(id);
  return id.length > maxChars ? `${id.slice(0, maxChars - 1)}…` : id;
}

function place({ nodes, edges }: ResourceGraphResponse): Graph {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 36, marginx: 14, marginy: 14 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.key, { ...size });
  for (const edge of edges) graph.setEdge(edge.source, edge.target);
  layout(graph);
  return graph;
}

function sentence({ edges }: ResourceGraphResponse): string {
  return edges.map((edge) => `${edge.source} ${edge.relation} ${edge.target}`).join('; ');
}
