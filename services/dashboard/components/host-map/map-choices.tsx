import { FormSelect, FormSelectOption, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { text } from '../../texts/texts.ts';
import { useQueryValue } from '../use-query-value.ts';
import { type GroupedHost, type Grouping, groupingsOf } from './host-groups.ts';

/** Grouping and colours of hosts, as stored in the URL of the page. */
export interface MapChoices {
  grouping: Grouping;
  /** Whether the colours span minimum to maximum of the hosts, instead of 0 to 100 %. */
  isRelative: boolean;
  setGrouping: (grouping: Grouping) => void;
  setRelative: (isRelative: boolean) => void;
}

const groupings: readonly Grouping[] = ['none', 'zone', 'aggregate', 'rack'];

/** From this number of hosts on, the colours show differences unless the user selects otherwise. */
const manyHosts = 150;

/** Reads and writes the choices in the URL of the page. */
export function useMapChoices(hosts: number): MapChoices {
  const [group, setGroup] = useQueryValue('group');
  const [scale, setScale] = useQueryValue('scale');
  return {
    grouping: groupings.find((known) => known === group) ?? 'none',
    isRelative: scale === 'relative' || (scale !== 'absolute' && hosts > manyHosts),
    setGrouping: (next) => setGroup(next === 'none' ? '' : next),
    setRelative: (isRelative) => setScale(isRelative ? 'relative' : 'absolute'),
  };
}

/** Fields for the grouping of a map and for its scale. */
export function MapChoiceFields({ hosts, choices }: { hosts: readonly GroupedHost[]; choices: MapChoices }) {
  const { grouping, isRelative, setGrouping, setRelative } = choices;
  return (
    <>
      <FormSelect
        aria-label={text('map.grouping')}
        value={grouping}
        onChange={(_event, next) => setGrouping(groupings.find((known) => known === next) ?? 'none')}
        className="vigil-filter"
      >
        {groupingsOf(hosts).map((value) => (
          <FormSelectOption key={value} value={value} label={text(`map.group.${value}`)} />
        ))}
      </FormSelect>
      <ToggleGroup aria-label={text('map.scale')}>
        <ToggleGroupItem text={text('map.absolute')} isSelected={!isRelative} onChange={() => setRelative(false)} />
        <ToggleGroupItem text={text('map.relative')} isSelected={isRelative} onChange={() => setRelative(true)} />
      </ToggleGroup>
    </>
  );
}
