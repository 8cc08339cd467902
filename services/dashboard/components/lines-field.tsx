import { FormGroup, TextArea } from '@patternfly/react-core';
import { useState } from 'react';
import { FieldHint } from './form-parts.tsx';

interface LinesFieldProps {
  id: string;
  label: string;
  hint: string;
  lines: readonly string[];
  onChange: (lines: string[]) => void;
}

/** A list of texts, one per line. */
export function LinesField({ id, label, hint, lines, onChange }: LinesFieldProps) {
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
      <FieldHint>{hint}</FieldHint>
    </FormGroup>
  );
}
