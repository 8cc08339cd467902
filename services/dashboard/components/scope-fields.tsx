import { Checkbox, FormGroup } from '@patternfly/react-core';
import type { ClusterSummary } from '../api/cluster-types.ts';
import type { FoundEntry } from '../api/find-types.ts';
import { useMay } from '../live/dashboard-context.tsx';
import { useClusterSummary } from '../live/use-cluster-summary.ts';
import { type PlainKey, text } from '../texts/texts.ts';
import { compareNames } from './compare-names.ts';
import { LinesField } from './lines-field.tsx';
import { PickerField } from './picker-field.tsx';
import type { ScopeForm } from './scope.ts';

interface Field {
  name: keyof ScopeForm;
  hint: PlainKey;
  /** Choices of the cloud, if known. */
  choices?: (cloud: ClusterSummary) => string[];
  /** Kind to search for, if there are too many to list. */
  kind?: FoundEntry['kind'];
}

const zonesOf = ({ hosts }: ClusterSummary) => [...new Set(hosts.map(({ zone }) => zone))].sort(compareNames);
const aggregatesOf = ({ aggregates }: ClusterSummary) => aggregates.map(({ name }) => name).sort(compareNames);

const fields: readonly Field[] = [
  { name: 'zones', hint: 'scope.namesAll', choices: zonesOf },
  { name: 'aggregates', hint: 'scope.namesOrIdsAll', choices: aggregatesOf },
  { name: 'excludedNodes', hint: 'scope.names', kind: 'host' },
  { name: 'excludedInstances', hint: 'scope.uuids', kind: 'instance' },
  { name: 'excludedProjects', hint: 'scope.ids', kind: 'project' },
  { name: 'excludedAggregates', hint: 'scope.namesOrIds', choices: aggregatesOf },
];
/** Above this number the field is a text field instead of checkboxes. */
const maxTicked = 30;

/**
 * The scope builder: the part of the cloud that an audit covers. Known values are offered or searched. Others are
 * typed.
 */
export function ScopeFields({ scope, onChange }: { scope: ScopeForm; onChange: (scope: ScopeForm) => void }) {
  const mayFind = useMay('internal:read');
  const { data: cloud } = useClusterSummary('cluster/summary', mayFind);
  return fields.map(({ name, hint, choices, kind }) => {
    const offered = (cloud && choices?.(cloud)) ?? [];
    const field = { id: `scope-${name}`, label: text(`scope.${name}`) };
    const change = (lines: string[]) => onChange({ ...scope, [name]: lines });
    if (offered.length > 0 && offered.length <= maxTicked)
      return <TicksField key={name} {...field} offered={offered} chosen={scope[name]} onChange={change} />;
    if (kind && mayFind)
      return <PickerField key={name} {...field} kind={kind} chosen={scope[name]} onChange={change} />;
    return <LinesField key={name} {...field} hint={text(hint)} lines={scope[name]} onChange={change} />;
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
