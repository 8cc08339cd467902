import { Flex, FormSelect, FormSelectOption, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { MapChoiceFields, type MapChoices } from '../../components/host-map/map-choices.tsx';
import { wholePercent } from '../../components/number-text.ts';
import { text } from '../../texts/texts.ts';
import { type MapHost, type MapMeasure, mapMeasures } from './map-hosts.ts';

/** From before (0) to after the plan (1), or its progress so far. */
export type MapMoment = number | 'so far';

interface MapControlsProps {
  hosts: readonly MapHost[];
  moment: MapMoment;
  measure: MapMeasure;
  choices: MapChoices;
  hasStarted: boolean;
  onMoment: (moment: MapMoment) => void;
  onMeasure: (measure: MapMeasure) => void;
}

/** The slider from before to after, and the colours and grouping of hosts. */
export function MapControls({ hosts, moment, measure, choices, hasStarted, onMoment, onMeasure }: MapControlsProps) {
  return (
    <>
      <div className="vigil-map-slider">
        <label htmlFor="map-moment">{text('map.before')}</label>
        <input
          id="map-moment"
          type="range"
          min={0}
          max={100}
          value={moment === 'so far' ? 0 : Math.round(moment * 100)}
          aria-label={text('map.slider')}
          aria-valuetext={momentText(moment)}
          onChange={(event) => onMoment(Number(event.target.value) / 100)}
        />
        <span aria-hidden="true">{text('map.after')}</span>
        {hasStarted && (
          <ToggleGroup aria-label={text('map.progress')}>
            <ToggleGroupItem
              text={text('map.soFar')}
              isSelected={moment === 'so far'}
              onChange={() => onMoment(moment === 'so far' ? 1 : 'so far')}
            />
          </ToggleGroup>
        )}
        <strong aria-live="polite">{moment === 'so far' ? null : momentText(moment)}</strong>
      </div>
      <Flex gap={{ default: 'gapSm' }}>
        <FormSelect
          aria-label={text('map.colour')}
          value={measure}
          onChange={(_event, next) => onMeasure(mapMeasures.find((known) => known === next) ?? 'memory')}
          className="vigil-filter"
        >
          {mapMeasures.map((value) => (
            <FormSelectOption key={value} value={value} label={text(`quantity.${value}`)} />
          ))}
        </FormSelect>
        <MapChoiceFields hosts={hosts} choices={choices} />
      </Flex>
    </>
  );
}

function momentText(moment: MapMoment): string {
  if (moment === 'so far') return text('map.soFar');
  if (moment === 0) return text('map.before');
  return moment === 1 ? text('map.after') : text('map.complete', { percent: wholePercent(moment * 100) });
}
