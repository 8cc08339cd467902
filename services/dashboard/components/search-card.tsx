import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Audit, type AuditSearch, dataOf } from '#libs/client';
import { useDashboard, useMay } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { CurvePlot, type CurveTick } from './curve-plot.tsx';
import { pathOf, plot } from './curve-shape.ts';
import { Facts } from './facts.tsx';
import { numberText, roundedText, wholePercent } from './number-text.ts';
import { durationText } from './time.tsx';
import { TitledCard } from './titled-card.tsx';

type Search = NonNullable<AuditSearch['search']>;

/**
 * A search is not a row of the database, so the change stream does not report it. The card polls it while it runs and
 * the card is visible.
 */
const pollEveryMs = 2000;
/** Points of the line over time. */
const mostSamples = 300;

/** Card with the results so far of a running audit's search, and a button that ends the search with them. */
export function SearchCard({ audit }: { audit: Audit }) {
  const { client } = useDashboard();
  const mayFinish = useMay('audit:update');
  const isRunning = audit.state === 'ONGOING';
  const params = { params: { path: { ident: audit.uuid } } };
  const query = useQuery({
    queryKey: ['audit-search', audit.uuid],
    queryFn: () => dataOf(client.api.GET('/v1/audits/{ident}/search', params)),
    enabled: isRunning,
    refetchInterval: pollEveryMs,
  });
  const search = isRunning ? (query.data?.search ?? null) : null;
  const samples = useSamples(search);
  if (search === null || search.value === null) return null;
  return (
    <TitledCard title={text('search.title')}>
      <Facts facts={factsOf(search)} />
      <CurvePlot
        across={text('search.time')}
        ticks={secondsAgo(samples.length)}
        beyondHeight={heightOf(search.bound ?? 0)}
      >
        <path className="vigil-curve-beyond" d={beyond(search.bound)} />
        <path className="vigil-curve-line" d={pathOf(placesOver(samples))} />
      </CurvePlot>
      {mayFinish && (
        <ConfirmButton
          label={text('search.use')}
          title={text('search.end')}
          run={() => dataOf(client.api.POST('/v1/audits/{ident}/finish', params))}
          done={text('search.ended')}
          isDisabled={search.is_finishing}
        >
          {text('search.endHint')}
        </ConfirmButton>
      )}
    </TitledCard>
  );
}

function factsOf({ value, bound, moves, work, budget, is_finishing: isFinishing }: Search) {
  return [
    [text('search.gain'), text('search.share', { share: roundedText(100 - (value ?? 100), 1) })],
    [text('curve.bound'), bound === null ? text('common.unknown') : numberText(100 - bound, '%')],
    [text('curve.migrations'), moves ?? text('common.unknown')],
    [text('search.progress'), workText(budget > 0 ? (100 * work) / budget : 0, isFinishing)],
  ] as const;
}

function workText(percent: number, isFinishing: boolean): string {
  return isFinishing ? text('search.ending', { share: wholePercent(percent) }) : wholePercent(percent);
}

function useSamples(search: Search | null): readonly number[] {
  const [samples, setSamples] = useState<readonly number[]>([]);
  useEffect(() => {
    if (search?.value === null || search?.value === undefined) return;
    const { value } = search;
    setSamples((known) => [...known.slice(1 - mostSamples), value]);
  }, [search]);
  return samples;
}

/** The start of the line, and now. */
function secondsAgo(samples: number): CurveTick[] {
  const seconds = (Math.max(1, samples) - 1) * (pollEveryMs / 1000);
  const now = { at: 1, label: text('search.now') };
  return seconds === 0 ? [now] : [{ at: 0, label: `−${durationText(seconds)}` }, now];
}

const heightOf = (points: number) => (Math.min(100, Math.max(0, points)) / 100) * plot.height;

function placesOver(samples: readonly number[]) {
  return samples.map((value, index) => ({
    x: (index / Math.max(1, samples.length - 1)) * plot.width,
    y: heightOf(value),
  }));
}

/** The area that no plan can reach. */
function beyond(bound: number | null): string {
  const y = heightOf(bound ?? 0);
  const corners = [
    { x: 0, y: 0 },
    { x: plot.width, y: 0 },
    { x: plot.width, y },
    { x: 0, y },
  ];
  return `${pathOf(corners)} Z`;
}
