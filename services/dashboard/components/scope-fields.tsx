import { Checkbox, FormGroup } from '@patternfly/react-core';
import type { ClusterSummary } from '../api/cluster-types.ts';
import type { FoundEntry } from '../api/find-types.ts';
import { useMay } from '../live/dashboard-context.tsx';
import { useStreamQuery } from '../live/use-stream-query.ts';
import { LinesField } from './lines-field.tsx';
import { PickerField } from './picker-field.tsx';
import type { ScopeForm } from './scope.ts';

interface Field {
  name: keyof ScopeForm;
  label: string;
  hint: string;
  /** What the cloud has of it, when it is known. */
  choices?: (cloud: ClusterSummary) => string[];
  /** What is searched for, where there are too many to tick. */
  kind?: FoundEntry['kind'];
}

const zonesOf = ({ hosts }: ClusterSummary) => [...new Set(hosts.map(({ zone }) => zone))].sort();
const aggregatesOf = ({ aggregates }: ClusterSummary) => aggregates.map(({ name }) => name).sort();

const fields: readonly Field[] = [
  {
    name: 'zones',
    label: 'Only these availability zones',
    hint: 'Names, one per line. Empty: all.',
    choices: zonesOf,
  },
  {
    name: 'aggregates',
    label: 'Only these host aggregates',
    hint: 'Names or ids, one per line. Empty: all.',
    choices: aggregatesOf,
  },
  { name: 'excludedNodes', label: 'Leave out these hosts', hint: 'Names, one per line.', kind: 'host' },
  { name: 'excludedInstances', label: 'Leave out these instances', hint: 'Uuids, one per line.', kind: 'instance' },
  { name: 'excludedProjects', label: 'Leave out these projects', hint: 'Ids, one per line.', kind: 'project' },
  {
    name: 'excludedAggregates',
    label: 'Leave out these host aggregates',
    hint: 'Names or ids, one per line.',
    choices: aggregatesOf,
  },
];
/** More are written, not ticked. */
const maxTicked = 30;

/** The scope builder: which part of the cloud is looked at. What the cloud has is offered or searched for, the rest is written. */
export function ScopeFields({ scope, onChange }: { scope: ScopeForm; onChange: (scope: ScopeForm) => void }) {
  const { data: cloud } = useStreamQuery<ClusterSummary>('cluster/summary', ['data_model']);
  const mayFind = useMay('internal:read');
  return fields.map(({ name, label, hint, choices, kind }) => {
    const offered = (cloud && choices?.(cloud)) ?? [];
    const field = { id: `scope-${name}`, label };
    const change = (lines: string[]) => onChange({ ...scope, [name]: lines });
    if (offered.length > 0 && offered.length <= maxTicked)
      return <TicksField key={name} {...field} offered={offered} chosen={scope[name]} onChange={change} />;
    if (kind && mayFind)
      return <PickerField key={name} {...field} kind={kind} chosen={scope[name]} onChange={change} />;
    return <LinesField key={name} {...field} hint={hint} lines={scope[name]} onChange={change} />;
  });
}

interface TicksFieldProps {
  id: string;
  label: string;
  offered: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function TicksField({ id, label, offered, chosen, onChange }: TicksFieldProps) {
  return (
    <FormGroup role="group" label={label} fieldId={id} isInline>
      {offered.map((choice) => (
        <Checkbox
          key={choice}
          id={`${id}-${choice}`}
          label={choice}
          isChecked={chosen.includes(choice)}
          onChange={(_event, isTicked) =>
            onChange(isTicked ? [...chosen, choice] : chosen.filter((known) => known !== choice))
          }
        />
      ))}
    </FormGroup>
  );
}
