import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { CapacityForecast, ClusterFound } from '../../api/find-types.ts';
import { roundedText } from '../../components/number-text.ts';
import { Failure, Loading, Nothing, textOf } from '../../components/states.tsx';
import { whatIfPath } from '../../components/what-if-path.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';

/** Flavors in the table: those with the most instances. */
const shown = 8;

/** Remaining capacity for the most frequent flavors: number of further instances, days until exhaustion, zones. */
export function FlavorRoom() {
  const found = useStreamQuery<ClusterFound>(`cluster/find?q=&kinds=flavor&limit=${shown}`, ['data_model']);
  if (found.isError && !found.data)
    return <Failure title={text('room.unreadable')} error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Loading what={text('room.title')} />;
  if (found.data.found.length === 0) return <Nothing title={text('room.none')} />;
  return (
    <>
      <div className="vigil-scroll" data-testid="table-box">
        <Table aria-label={text('room.title')} variant="compact">
          <Thead>
            <Tr>
              <Th>{text('whatIf.flavor')}</Th>
              <Th modifier="wrap" className="vigil-number">
                {text('whatIf.places')}
              </Th>
              <Th modifier="wrap">{text('room.exhausted')}</Th>
              <Th modifier="wrap">{text('room.byZone')}</Th>
              <Th modifier="wrap">{text('room.byAggregate')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {found.data.found.map(({ id }) => (
              <FlavorRow key={id} flavor={id} />
            ))}
          </Tbody>
        </Table>
      </div>
      <p className="vigil-subtle">{text('room.hint')}</p>
    </>
  );
}

function FlavorRow({ flavor }: { flavor: string }) {
  const forecast = useStreamQuery<CapacityForecast>(`forecasts/flavors/${encodeURIComponent(flavor)}`, ['data_model']);
  return (
    <Tr>
      <Td dataLabel={text('whatIf.flavor')}>
        <Link className="vigil-whole-words" to={whatIfPath({ question: 'place', flavor })} data-literal>
          {flavor}
        </Link>
      </Td>
      {forecast.data ? (
        <Room forecast={forecast.data} />
      ) : (
        <Td colSpan={4}>{forecast.isError ? textOf(forecast.error) : <Loading what={flavor} as="line" />}</Td>
      )}
    </Tr>
  );
}

function Room({ forecast: { name: flavor, places, is_exact: isExact, full, parts } }: { forecast: CapacityForecast }) {
  const count = places ?? 0;
  const zones = parts.filter(({ kind }) => kind === 'zone');
  const aggregates = parts.filter(({ kind }) => kind === 'aggregate');
  return (
    <>
      <Td dataLabel={text('whatIf.places')} className="vigil-number">
        <strong data-testid="room-places">{isExact ? roundedText(count) : text('whatIf.atMost', { count })}</strong>
      </Td>
      <Td dataLabel={text('room.exhausted')}>
        <span className="vigil-whole-words">{lastPlaceText(full)}</span>
      </Td>
      <Td dataLabel={text('room.byZone')}>
        <PlacesByPart parts={zones} pathOf={(zone) => whatIfPath({ question: 'place', flavor, zone })} />
      </Td>
      <Td dataLabel={text('room.byAggregate')}>
        <PlacesByPart parts={aggregates} pathOf={(aggregate) => `/cluster?${new URLSearchParams({ aggregate })}`} />
      </Td>
    </>
  );
}

interface PlacesByPartProps {
  parts: CapacityForecast['parts'];
  pathOf: (name: string) => string;
}

/** Places in each zone or aggregate, with a link to it. */
function PlacesByPart({ parts, pathOf }: PlacesByPartProps) {
  if (parts.length === 0) return <>–</>;
  return (
    <span>
      {parts.map(({ name, places }, at) => (
        <Fragment key={name}>
          {at > 0 && ', '}
          <Link to={pathOf(name)} data-literal>
            {name}
          </Link>{' '}
          {roundedText(places)}
        </Fragment>
      ))}
    </span>
  );
}

function lastPlaceText({ verdict, days, low_days: low, high_days: high }: CapacityForecast['full']): string {
  switch (verdict) {
    case 'days':
      return low === null || high === null
        ? text('room.days', { count: days ?? 0 })
        : text('room.daysBetween', { count: days ?? 0, low, high });
    case 'full':
      return text('room.full');
    case 'later':
      return text('room.later');
    case 'falling':
    case 'none':
      return text('room.noGrowth');
    default:
      return text('room.notMeasured');
  }
}
