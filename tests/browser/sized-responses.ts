/** How many rows every list of the dashboard has. */
export type ListSize = 0 | 1 | 1000;

/**
 * Runs in a page before its scripts: every list in a response of the API, and in the full state of the stream, gets
 * `size` rows. Existing rows come first, then copies of the first one with other identities. An empty list stays empty.
 * Goals, strategies and measurements stay as they are.
 */
export function measureResponses(size: ListSize): void {
  type Row = Record<string, unknown>;
  const paths = /\/internal\/|\/v1\/actions$|\/v1\/action_plans\/[^/]+\/(preview|timeline)$/;
  /** Lists that the API returns page by page, and the default size of a page. */
  const lists = /\/internal\/lists\//;
  const defaultRows = 20;
  const kept = new Set(['aggregates', 'series', 'weeks', 'nodes', 'edges', 'kinds', 'warnings', 'checks']);
  const keptKinds = new Set(['goal', 'strategy', 'scoring_engine', 'data_model', 'resource_graph', 'dead_letters']);
  const send = globalThis.fetch;

  const copyOf = (row: Row, place: number): Row => {
    const copy = { ...row };
    if (typeof row.uuid === 'string') copy.uuid = place.toString(16).padStart(8, '0') + row.uuid.slice(8);
    if (typeof row.id === 'number') copy.id = 1_000_000 + place;
    for (const name of ['name', 'hostname']) if (typeof row[name] === 'string') copy[name] = `${row[name]}-${place}`;
    return copy;
  };
  const sized = (rows: readonly Row[], most: number): Row[] => {
    const [first] = rows;
    const wanted = first ? Math.min(size, most) : 0;
    return Array.from({ length: wanted }, (_, place) => rows[place] ?? copyOf(first as Row, place));
  };
  const isRows = (value: unknown): value is Row[] =>
    Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));
  const emptied = (totals: Row): Row =>
    Object.fromEntries(
      Object.entries(totals).map(([name, value]) => {
        if (typeof value === 'number') return [name, 0];
        return [name, name === 'cpu_load' || value === null ? null : emptied(value as Row)];
      }),
    );

  const sizedBody = (body: Row, limit: number): Row => {
    const answer = { ...body };
    for (const [name, value] of Object.entries(body))
      if (!kept.has(name) && isRows(value)) answer[name] = sized(value, limit);
    for (const name of ['total', 'count']) if (typeof body[name] === 'number' && body[name] > 0) answer[name] = size;
    if (size === 0 && typeof body.totals === 'object' && body.totals) answer.totals = emptied(body.totals as Row);
    return answer;
  };

  /** Parts of the full state as they pass: of each kind the first entities, with copies after the first one. */
  const sizedEvents = () => {
    const counts = new Map<string, number>();
    let rest = '';
    const sizedBlock = (block: string) => {
      const isWhole = /^event: snapshot$/m.test(block);
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (data === undefined) return block;
      const part = JSON.parse(data) as { deltas: [string, string, Row][] };
      const deltas = part.deltas.flatMap((delta) => {
        const [kind, what, entity] = delta;
        if (keptKinds.has(kind)) return [delta];
        // A change of an entity would add a row.
        if (!isWhole) return [];
        const before = counts.get(kind) ?? 0;
        counts.set(kind, before + 1);
        if (before > 0) return size > 1 ? [delta] : [];
        return sized([entity], size).map((row): [string, string, Row] => [kind, what, row]);
      });
      return block.replace(data, () => JSON.stringify({ ...part, deltas }));
    };
    return new TransformStream<string, string>({
      transform(chunk, controller) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) controller.enqueue(`${sizedBlock(block)}\n\n`);
      },
    });
  };

  globalThis.fetch = async (input, init) => {
    const response = await send(input, init);
    const url = new URL(response.url);
    const isRead = (init?.method ?? (input instanceof Request ? input.method : 'GET')) === 'GET';
    if (!response.ok || !response.body || !isRead) return response;
    const { headers } = response;
    if (url.pathname.endsWith('/v1/watch')) {
      const texts = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(sizedEvents());
      return new Response(texts.pipeThrough(new TextEncoderStream()), { headers });
    }
    if (!paths.test(url.pathname)) return response;
    const limit = Number(url.searchParams.get('limit') ?? (lists.test(url.pathname) ? defaultRows : size));
    return Response.json(sizedBody((await response.json()) as Row, limit), { headers });
  };
}
