import { Flex, FormSelect, FormSelectOption, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import type { Grouping, MapMeasure } from './map-hosts.ts';

/** What the map shows. */
export interface MapView {
  /** From before (0) to after the plan (1), or what it has come to. */
  moment: number | 'so far';
  grouping: Grouping;
  measure: MapMeasure;
  /** Whether the colours go from the least to the most that a host holds, instead of from 0 to 100 %. */
  isRelative: boolean;
}

interface MapControlsProps {
  view: MapView;
  hasZones: boolean;
  hasRacks: boolean;
  hasBegun: boolean;
  onMoment: (moment: MapView['moment']) => void;
  onGrouping: (grouping: Grouping) => void;
  onMeasure: (measure: MapMeasure) => void;
  onRelative: (isRelative: boolean) => void;
}

/** The slider from before to after, and how hosts are coloured and put together. */
export function MapControls({ view, hasZones, hasRacks, hasBegun, ...on }: MapControlsProps) {
  const { moment, grouping, measure, isRelative } = view;
  const groupings: readonly (readonly [Grouping, string])[] = [
    ['none', 'Not grouped'],
    ...(hasZones
      ? ([
          ['zone', 'By zone'],
          ['aggregate', 'By aggregate'],
        ] as const)
      : []),
    ...(hasRacks ? ([['rack', 'By rack']] as const) : []),
  ];
  return (
    <>
      <div className="vigil-map-slider">
        <label htmlFor="map-moment">Before</label>
        <input
          id="map-moment"
          type="range"
          min={0}
          max={100}
          value={moment === 'so far' ? 0 : Math.round(moment * 100)}
          aria-label="From before to after the plan"
          aria-valuetext={momentText(moment)}
          onChange={(event) => on.onMoment(Number(event.target.value) / 100)}
        />
        <span aria-hidden="true">After</span>
        {hasBegun && (
          <ToggleGroup aria-label="What the plan has come to">
            <ToggleGroupItem
              text="So far"
              isSelected={moment === 'so far'}
              onChange={() => on.onMoment(moment === 'so far' ? 1 : 'so far')}
            />
          </ToggleGroup>
        )}
        <strong aria-live="polite">{momentText(moment)}</strong>
      </div>
      <Flex gap={{ default: 'gapSm' }}>
        <FormSelect
          aria-label="What the colour tells"
          value={measure}
          onChange={(_event, next) => on.onMeasure(next === 'vcpus' ? 'vcpus' : 'memory')}
          className="vigil-filter"
        >
          <FormSelectOption value="memory" label="Memory allocated" />
          <FormSelectOption value="vcpus" label="vCPUs allocated" />
        </FormSelect>
        <FormSelect
          aria-label="How hosts are put together"
          value={grouping}
          onChange={(_event, next) => on.onGrouping(groupings.find(([known]) => known === next)?.[0] ?? 'none')}
          className="vigil-filter"
        >
          {groupings.map(([value, label]) => (
            <FormSelectOption key={value} value={value} label={label} />
          ))}
        </FormSelect>
        <ToggleGroup aria-label="Scale of the colours">
          <ToggleGroupItem text="0 to 100 %" isSelected={!isRelative} onChange={() => on.onRelative(false)} />
          <ToggleGroupItem text="Least to most" isSelected={isRelative} onChange={() => on.onRelative(true)} />
        </ToggleGroup>
      </Flex>
    </>
  );
}

function momentText(moment: MapView['moment']): string {
  if (moment === 'so far') return 'So far';
  if (moment === 0) return 'Before';
  return moment === 1 ? 'After' : `${Math.round(moment * 100)}\u00a0% of the way`;
}

interface MapLegendProps {
  ends: { from: number; to: number };
  moving: number;
  hasOthers: boolean;
}

const buckets = 10;

/** What the colours, borders and dots mean. */
export function MapLegend({ ends, moving, hasOthers }: MapLegendProps) {
  return (
    <p className="vigil-legend">
      {ends.from.toFixed(0)} %
      {Array.from({ length: buckets }, (_unused, index) => (
        <span key={index} className={`vigil-cell vigil-heat-${index}of10`} aria-hidden="true" />
      ))}
      {ends.to.toFixed(0)} %
      {hasOthers && (
        <span className="vigil-heat-note">
          <span className="vigil-cell vigil-map-touched" aria-hidden="true" /> the plan changes it; others as they are
          today
        </span>
      )}
      {moving > 0 && (
        <span className="vigil-heat-note">
          ● {moving} {moving === 1 ? 'instance moves' : 'instances move'} now
        </span>
      )}
    </p>
  );
}
