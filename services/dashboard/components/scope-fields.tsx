import { FormGroup, FormHelperText, HelperText, HelperTextItem, TextArea } from '@patternfly/react-core';
import { useState } from 'react';
import type { ScopeForm } from './scope.ts';

const fields: readonly { name: keyof ScopeForm; label: string; hint: string }[] = [
  { name: 'zones', label: 'Only these availability zones', hint: 'Names, one per line. Empty: all.' },
  { name: 'aggregates', label: 'Only these host aggregates', hint: 'Names or ids, one per line. Empty: all.' },
  { name: 'excludedNodes', label: 'Leave out these hosts', hint: 'Names, one per line.' },
  { name: 'excludedInstances', label: 'Leave out these instances', hint: 'Uuids, one per line.' },
  { name: 'excludedProjects', label: 'Leave out these projects', hint: 'Ids, one per line.' },
  { name: 'excludedAggregates', label: 'Leave out these host aggregates', hint: 'Names or ids, one per line.' },
];

/** The scope builder: which part of the cloud is looked at. */
export function ScopeFields({ scope, onChange }: { scope: ScopeForm; onChange: (scope: ScopeForm) => void }) {
  return fields.map((field) => (
    <LinesField
      key={field.name}
      id={`scope-${field.name}`}
      label={field.label}
      hint={field.hint}
      lines={scope[field.name]}
      onChange={(lines) => onChange({ ...scope, [field.name]: lines })}
    />
  ));
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
