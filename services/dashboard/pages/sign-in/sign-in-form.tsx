import { Button, Form, FormGroup, TextInput } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { type PlainKey, text } from '../../texts/texts.ts';

/** A field of a sign-in method. */
export interface SignInField<Name extends string> {
  name: Name;
  label: PlainKey;
  isSecret?: boolean;
  /** Autocomplete value for the browser. */
  autoComplete: string;
}

interface SignInFormProps<Name extends string> {
  fields: readonly SignInField<Name>[];
  initial: Record<Name, string>;
  /** Resolves after the attempt, whether it succeeded or failed. */
  onSubmit: (form: Record<Name, string>) => Promise<void>;
}

/** Required fields, and the button. */
export function SignInForm<Name extends string>({ fields, initial, onSubmit }: SignInFormProps<Name>) {
  const [form, setForm] = useState(initial);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await onSubmit(form);
    setBusy(false);
  };
  const isFilled = fields.every(({ name }) => form[name] !== '');
  return (
    <Form onSubmit={(event) => void submit(event)}>
      {fields.map(({ name, label, isSecret, autoComplete }) => (
        <FormGroup key={name} label={text(label)} fieldId={`sign-in-${name}`} isRequired>
          <TextInput
            id={`sign-in-${name}`}
            name={name}
            type={isSecret ? 'password' : 'text'}
            autoComplete={autoComplete}
            isRequired
            value={form[name]}
            onChange={(_event, value) => setForm({ ...form, [name]: value })}
          />
        </FormGroup>
      ))}
      <Button type="submit" isBlock isLoading={isBusy} isDisabled={isBusy || !isFilled}>
        {text('session.signIn')}
      </Button>
    </Form>
  );
}
