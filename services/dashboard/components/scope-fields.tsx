import { Checkbox, FormGroup, FormHelperText, HelperText, HelperTextItem, TextArea } from '@patternfly/react-core';
import { useState } from 'react';
import type { ClusterSummary } from '../api/cluster-types.ts';
import { useStreamQuery } from '../live/use-stream-query.ts';
import type { ScopeForm } from './scope.ts';

interface Field {
  name: keyof ScopeForm;
  label: string;
  hint: string;
  /** What the cloud has of it, when it is known. */
  choices?: (cloud: ClusterSummary) => string[];
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
  { name: 'excludedNodes', label: 'Leave out these hosts', hint: 'Names, one per line.' },
  { name: 'excludedInstances', label: 'Leave out these instances', hint: 'Uuids, one per line.' },
  { name: 'excludedProjects', label: 'Leave out these projects', hint: 'Ids, one per line.' },
  {
    name: 'excludedAggregates',
    label: 'Leave out these host aggregates',
    hint: 'Names or ids, one per line.',
    choices: aggregatesOf,
  },
];
/** More are written, not ticked. */
const maxTicked = 30;

/** The scope builder: which part of the cloud is looked at. What the cloud has is offered, the rest is written. */
export function ScopeFields({ scope, onChange }: { scope: ScopeForm; onChange: (scope: ScopeForm) => void }) {
  const { data: cloud } = useStreamQuery<ClusterSummary>('cluster/summary', ['data_model']);
  return fields.map(({ name, label, hint, choices }) => {
    const offered = (cloud && choices?.(cloud)) ?? [];
    const change = (lines: string[]) => onChange({ ...scope, [name]: lines });
    return offered.length > 0 && offered.length <= maxTicked ? (
      <TicksField
        key={name}
        id={`scope-${name}`}
        label={label}
        offered={offered}
        chosen={scope[name]}
        onChange={change}
      />
    ) : (
      <LinesField key={name} id={`scope-${name}`} label={label} hint={hint} lines={scope[name]} onChange={change} />
    );
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

interface LinesFieldProps {
  id: string;
  label: string;
  hint: string;
  lines: readonly string[];
  onChange: (lines: string[]) => void;
}

function LinesField({ id, label, hint, lines, onChange }: LinesFieldProps) {
  const [text, setText] = useState(lines.join('\n'));
  const change = (next: string) => {
    setText(next);
    onChange(
      next
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    );
  };
  return (
    <FormGroup label={label} fieldId={id}>
      <TextArea
        id={id}
        value={text}
        rows={1}
        autoResize
        resizeOrientation="vertical"
        onChange={(_event, next) => change(next)}
      />
      <FormHelperText>
        <HelperText>
          <HelperTextItem>{hint}</HelperTextItem>
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
}
